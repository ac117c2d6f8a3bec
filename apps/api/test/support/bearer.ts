/** The header of a request with this token, or with the access token of this customer. */
export const bearer = (sender: string | { jwt: string }) => ({
  Authorization: `Bearer ${typeof sender === 'string' ? sender : sender.jwt}`,
});
