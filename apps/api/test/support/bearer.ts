/** Returns the Authorization header of a request. The sender is either a token, or a customer with an access token. */
export const bearer = (sender: string | { jwt: string }) => ({
  Authorization: `Bearer ${typeof sender === 'string' ? sender : sender.jwt}`,
});
