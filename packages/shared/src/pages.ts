interface WebPage {
  /** The page's title is '<name> RTR Cloud Kitchen'. */
  name: string;
  /** What search engines and link previews say of it. Absent from pages that are one visitor's own: nobody lists those. */
  description?: string;
}

/** Every page of the web app, by its path as the router writes it; any other address is not found. */
export const webPages = {
  '/': {
    name: 'Home',
    description:
      'Hood installation and repair, duct cleaning, air conditioning help and more for working kitchens, reviewed by the people who used them.',
  },
  '/login': { name: 'Login' },
  '/signup': { name: 'Sign Up' },
  '/services': {
    name: 'Services',
    description:
      'Services for working kitchens with their prices and customers’ reviews: hoods, ducts, air conditioning, cold rooms, gas and fire safety.',
  },
  // What stands here serves a service whose lister gave no title or no description.
  '/services/:id': {
    name: 'Untitled service',
    description: 'What this kitchen service costs, and what customers say of it.',
  },
  '/addservices': { name: 'Add Service' },
  '/myreview': { name: 'My Review' },
  '/review/:id': { name: 'Review' },
  '/editreview/:id': { name: 'Edit Review' },
  '/account': { name: 'Account' },
  '/blogs': {
    name: 'Blogs',
    description: 'Four questions about SQL, Node, JavaScript and JWTs, answered by the people who built this software.',
  },
  '/about': {
    name: 'About',
    description: 'Who lists services here, who reviews them, and what you do not find: paid places and advertisements.',
  },
  '/how-reviews-work': {
    name: 'How reviews work',
    description: 'Who writes reviews, how customers’ stars are counted, and what the lister’s own rating is.',
  },
  '/privacy': {
    name: 'Privacy',
    description: 'What is kept about you once you have an account, where, and for how long.',
  },
  '/terms': {
    name: 'Terms',
    description: 'The few rules of listing and reviewing kitchen services here, in plain words.',
  },
} as const satisfies Record<string, WebPage>;

export type WebPath = keyof typeof webPages;
