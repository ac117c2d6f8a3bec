/** The texts about requests that several pages show. A request is a conversation of a customer with a lister. */
export const requestText = {
  ask: 'Ask for a price',
  yours: 'Requests',
  seeYours: 'See your requests',
  seeOpen: 'See your open request',
  hasOpen: 'You have an open request about this service.',
  closedAccount: 'Closed account',
  noName: 'Customer',
  closed: 'Closed',
  afterAccountDeletion:
    'The other person keeps the messages that you sent, but sees “Closed account” instead of your name. Your photos in messages are erased.',
};

/** Returns the name of the other participant. */
export const nameOf = ({ name, isClosed }: { name: string; isClosed?: true | undefined }) =>
  isClosed ? requestText.closedAccount : name || requestText.noName;

/** Returns the address of a conversation. It opens at the newest message. */
export const addressOfRequest = (id: string) => `/requests/${id}#${newestMessageAnchor}`;

export const newestMessageAnchor = 'newest';
