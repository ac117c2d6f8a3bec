/** Returns the Authorization header of a request. The sender is a token, or a customer whose access token is used. */
export const bearer = (sender: string | { jwt: string }) => ({
  Authorization: `Bearer ${typeof sender === 'string' ? sender : sender.jwt}`,
});
