/** Who a verified access token of ours speaks for. */
export interface Customer {
  uid: string;
  email: string;
  /** Display name, 1 to 80 characters. */
  name: string;
  /** An http(s) URL, or empty. */
  picture: string;
}
