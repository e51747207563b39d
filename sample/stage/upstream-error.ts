/** An upstream answered, but not with success. Status and headers are what the default classifier reads. */
export class UpstreamError extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Response) {
    super(`The upstream answered ${status}`);
    this.status = status;
    this.headers = headers;
  }
}
