/** What a client of an application sees, read from the response alone. */
export interface Answer {
  status: number;
  /** the candidate that answered; absent if a substitute or nobody did */
  by?: string;
  source?: string;
  /** why the answer is degraded; absent if it is not */
  reason?: string;
  /** ms, for a last known good */
  age?: number;
  /** the header as it came */
  degraded?: string;
  /** seconds */
  retryAfter?: number;
}

/** What the head of a response says. */
export function answerOf({ status, ok, headers }: Response): Answer {
  const degraded = headers.get('Degraded');
  const retryAfter = headers.get('Retry-After');
  return {
    status,
    ...(ok && whoAnswered(headers)),
    ...(degraded !== null && { degraded, ...parameter(degraded, 'reason') }),
    ...(retryAfter !== null && { retryAfter: Number(retryAfter) }),
  };
}

/** `Served-By` names the candidate or, where none answered, the substitute; `Degraded` says which it is. */
function whoAnswered(headers: Headers): Pick<Answer, 'by' | 'source'> {
  const { by } = parameter(headers.get('Served-By') ?? '', 'by');
  if (by === undefined) return {};
  const { source = 'candidate' } = parameter(headers.get('Degraded') ?? '', 'source');
  return source === 'candidate' ? { by, source } : { source };
}

/** One parameter of a structured header with one member. */
function parameter<Name extends string>(header: string, name: Name): { [N in Name]?: string } {
  const found = new RegExp(`;${name}=([^;,]+)`).exec(header)?.[1];
  return (found === undefined ? {} : { [name]: found }) as { [N in Name]?: string };
}
