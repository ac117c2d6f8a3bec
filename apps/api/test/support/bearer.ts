/** Returns the Authorization header of a request. `sender` is a token, or a customer who has an access token. */
export const bearer = (sender: string | { jwt: string }) => ({
  Authorization: `Bearer ${typeof sender === 'string' ? sender : sender.jwt}`,
});
