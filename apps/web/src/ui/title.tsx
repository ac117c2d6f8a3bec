const brand = 'RTR Cloud Kitchen';

/** The title of the page: '<name> RTR Cloud Kitchen'. React moves it into the document's head. */
export function Title({ name }: { name?: string }) {
  return <title>{name ? `${name} ${brand}` : brand}</title>;
}
