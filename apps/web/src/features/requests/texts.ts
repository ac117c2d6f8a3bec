/** The texts about requests that several pages show. A request is a conversation of a customer with a lister. */
export const requestText = {
  seeYours: 'See your requests',
  closedAccount: 'Closed account',
  noName: 'Customer',
  closed: 'Closed',
  close: 'Close request',
  afterAccountDeletion:
    'Other people keep the messages that you sent, but without your name. Your photos in messages are erased.',
};

/** Returns the name of the other participant. */
export const nameOf = ({ name, isClosed }: { name: string; isClosed?: true | undefined }) =>
  isClosed ? requestText.closedAccount : name || requestText.noName;
