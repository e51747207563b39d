/** A piece of an answer, whichever model says it; Nest sends it to the browser as it is. */
export interface Token {
  /** absent where a model sends something besides words: its head, a ping, its end */
  data?: string;
  /** the name of the event in the browser, if it needs one */
  type?: 'degraded';
  /** what the model says has gone wrong with it */
  error?: ModelError;
}

/** A model's own word of a failure. Its `type` is what the default classifier reads. */
class ModelError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** The failure in the form that both models give it. */
export interface Failure {
  type: string;
  message: string;
}

export const word = (text = ''): Token => (text === '' ? {} : { data: text });
export const failure = ({ type, message }: Failure): Token => ({ error: new ModelError(type, message) });
