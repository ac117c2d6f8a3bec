/** Who a verified Firebase ID token speaks for. */
export interface FirebaseUser {
  uid: string;
  email: string;
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
  /** When the customer last proved who they are, in seconds since 1970. */
  authTime: number;
}
