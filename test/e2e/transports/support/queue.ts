/** A queue in the process, as workers see one: jobs one after the other, and again when they fail. */
export class Queue {
  private handler: (job: Job) => Promise<unknown> = () => Promise.reject(new Error('nobody works'));
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: { readonly attempts: number }) {}

  work(handler: (job: Job) => Promise<unknown>): void {
    this.handler = handler;
  }

  add(name: string, data: string): Job {
    const job = new Job(name, data);
    this.last = this.last.then(() => job.run(this.handler, this.options.attempts));
    return job;
  }
}

export class Job {
  readonly logs: string[] = [];
  attempts = 0;
  private settle!: (outcome: Promise<unknown>) => void;
  private readonly outcome = new Promise<unknown>((resolve) => {
    this.settle = resolve;
  });

  constructor(
    readonly name: string,
    readonly data: string,
  ) {}

  log(line: string): void {
    this.logs.push(line);
  }

  finished(): Promise<unknown> {
    return this.outcome;
  }

  async run(handler: (job: Job) => Promise<unknown>, most: number): Promise<void> {
    while (this.attempts < most) {
      this.attempts += 1;
      const outcome = handler(this);
      const isDone = await outcome.then(
        () => true,
        () => false,
      );
      if (isDone || this.attempts === most) return this.settle(outcome);
    }
  }
}
