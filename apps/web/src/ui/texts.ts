/** The texts that several components show. A text of a single component stays in the file of that component. */
export const commonText = {
  tryAgain: 'Try again',
  logIn: 'Log in',
  sessionEnded: 'Your session has ended. Log in again to go on; what you typed is kept.',
  connectionFailed: 'The connection or our server failed. Nothing is lost.',
  tooFast: (seconds: number) => `That was quick. Try again in ${seconds} seconds.`,
};
