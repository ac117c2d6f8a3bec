import type { ReportReason } from '@rtr/shared';

export interface SeedReview {
  /** The slug of a service in the catalogue. */
  service: string;
  /** The author: a key of `seedAuthors`. */
  author: string;
  daysAgo: number;
  rating?: 1 | 2 | 3 | 4 | 5;
  review: string;
  editedDaysAgo?: number;
  /** The reply of the lister. A service without a lister has no replies. */
  reply?: { text: string; daysAgo: number };
  /**
   * A report about the review. `by` is the customer who sends the report: a key of `seedAuthors`. If `hiddenBecause` is
   * set, a moderator has hidden the review for this reason.
   */
  report?: { by: string; reason: ReportReason; text: string; hiddenBecause?: string };
}

export interface SeedAuthor {
  uid: string;
  name: string;
  email: string;
  /** The profile picture: a file in /pictures. Without a picture, the web app shows initials. */
  pictureFile: string;
  /**
   * The password of a demo customer, who has an account in the Auth emulator. The other authors have no account and no
   * password.
   */
  password?: string;
  isModerator?: true;
}

export const seedAuthors: Readonly<Record<string, SeedAuthor>> = {
  amira: {
    uid: 'demo-amira',
    name: 'Amira Rahman',
    email: 'amira@demo.example',
    pictureFile: 'avatar-1.svg',
    password: 'kitchen-demo-1',
  },
  jonas: {
    uid: 'demo-jonas',
    name: 'Jonas Berg',
    email: 'jonas@demo.example',
    pictureFile: 'avatar-4.svg',
    password: 'kitchen-demo-2',
  },
  nadia: {
    uid: 'demo-nadia',
    name: 'Nadia Petrova',
    email: 'nadia@demo.example',
    pictureFile: 'avatar-2.svg',
    password: 'kitchen-demo-3',
    isModerator: true,
  },
  mei: { uid: 'seed-mei', name: 'Mei-Ling Chow', email: 'mei@demo.example', pictureFile: 'avatar-2.svg' },
  tomas: { uid: 'seed-tomas', name: 'Tomás Herrera', email: 'tomas@demo.example', pictureFile: 'avatar-3.svg' },
  nusrat: { uid: 'seed-nusrat', name: 'নুসরাত জাহান', email: 'nusrat@demo.example', pictureFile: 'avatar-6.svg' },
  eleni: { uid: 'seed-eleni', name: 'Ελένη Παπαδάκη', email: 'eleni@demo.example', pictureFile: '' },
  kwame: { uid: 'seed-kwame', name: 'Kwame Mensah', email: 'kwame@demo.example', pictureFile: 'avatar-5.svg' },
  sofia: { uid: 'seed-sofia', name: 'Sofia Lindqvist', email: 'sofia@demo.example', pictureFile: '' },
  ravi: { uid: 'seed-ravi', name: 'Ravi Kulkarni', email: 'ravi@demo.example', pictureFile: 'avatar-2.svg' },
  ola: { uid: 'seed-ola', name: 'Ola Nowak', email: 'ola@demo.example', pictureFile: '' },
  hassan: { uid: 'seed-hassan', name: 'Hassan El-Amin', email: 'hassan@demo.example', pictureFile: 'avatar-3.svg' },
  beatriz: { uid: 'seed-beatriz', name: 'Beatriz Moura', email: 'beatriz@demo.example', pictureFile: '' },
  dan: { uid: 'seed-dan', name: 'Dan O’Connell', email: 'dan@demo.example', pictureFile: 'avatar-5.svg' },
  yuki: { uid: 'seed-yuki', name: 'Yuki Tanaka', email: 'yuki@demo.example', pictureFile: 'avatar-6.svg' },
};

/**
 * The reviews of the demonstration, grouped by service, newest service first. Three services have no reviews. One author
 * wrote two reviews of the same service.
 */
export const seedReviews: readonly SeedReview[] = [
  {
    service: 'hood-installation-wall-canopy',
    author: 'amira',
    daysAgo: 12,
    rating: 5,
    review:
      'They hung the canopy on a Monday, which is our quiet day, and we cooked again on Tuesday lunch. The man in charge put his level on it and called me over to look. I liked that more than the certificate.',
  },
  {
    service: 'hood-installation-wall-canopy',
    author: 'jonas',
    daysAgo: 41,
    rating: 4,
    review:
      'Good hood, straight, quiet. One star less because the hole to the outside was closed with white mortar on a brick wall and I had to paint it myself. They had told me painting was not included, to be fair.',
  },
  {
    service: 'hood-installation-wall-canopy',
    author: 'mei',
    daysAgo: 88,
    rating: 5,
    review:
      'Face speed written in the folder at five points as promised. Our inspector read the page, nodded, and was gone in ten minutes.',
  },
  {
    service: 'hood-installation-wall-canopy',
    author: 'kwame',
    daysAgo: 143,
    rating: 4,
    review: 'Arrived an hour late, said so by phone before it happened, finished on time anyway.',
  },
  {
    service: 'hood-installation-wall-canopy',
    author: 'tomas',
    daysAgo: 201,
    rating: 5,
    review: 'Steam used to reach the dining room door. It does not any more.',
  },
  {
    service: 'hood-installation-wall-canopy',
    author: 'ravi',
    daysAgo: 266,
    rating: 3,
    review:
      'The work is fine. The dust was not. Sheets were laid on the range but nothing over the shelves behind it, and we washed every plate.',
    editedDaysAgo: 260,
  },
  {
    service: 'hood-repair-filters',
    author: 'amira',
    daysAgo: 5,
    rating: 4,
    review:
      'Two of our five filters never stayed in. He measured the frame, bent it back with a bar and some patience, and all five click now. No idea why three others wanted to sell me a new hood.',
  },
  {
    service: 'hood-repair-filters',
    author: 'nusrat',
    daysAgo: 33,
    rating: 5,
    review:
      'প্রতি সপ্তাহে ফিল্টার খুলে পড়ে যেত। এসে মাপ নিলেন, ফ্রেম সোজা করলেন, নতুন ক্লিপ লাগালেন। এখন হুড শব্দ করে না, আর রান্নাঘরে ধোঁয়াও থাকে না।',
  },
  {
    service: 'hood-repair-filters',
    author: 'dan',
    daysAgo: 97,
    rating: 2,
    review:
      'Sent the photo with the tape measure, got a price, and the filters that came were 10 mm short. Second set fitted. That cost us nine days with a gap in the hood, and nobody offered anything off.',
    reply: {
      text: 'You are right, Dan. I read the outside of the frame in your photo and should have asked for the inside. I have sent you the price of one filter back, and I now ask for a second photo before I order.',
      daysAgo: 95,
    },
  },
  {
    service: 'hood-repair-filters',
    author: 'beatriz',
    daysAgo: 160,
    rating: 5,
    review: 'Cheap, quick, took the old ones away.',
    report: {
      by: 'jonas',
      reason: 'fake',
      text: 'This says nothing that a customer would know. I think it was bought.',
    },
  },
  {
    service: 'hood-repair-filters',
    author: 'yuki',
    daysAgo: 224,
    rating: 4,
    review: '',
  },
  {
    service: 'air-conditioning-installation',
    author: 'jonas',
    daysAgo: 19,
    rating: 5,
    review:
      'They asked where my pastry chef stands before they picked the wall. Nobody had ever asked that. She no longer wears a scarf in July.',
    editedDaysAgo: 18,
  },
  {
    service: 'air-conditioning-installation',
    author: 'sofia',
    daysAgo: 73,
    rating: 4,
    review:
      'Neat pipe run, drain with a proper fall, all holes sealed. The remote was set to a language none of us reads and we found out on Sunday.',
    reply: {
      text: 'Sorry about the remote, Sofia. Hold Mode and Timer together for five seconds and choose EN. This is now on the card that we leave beside the unit.',
      daysAgo: 72,
    },
  },
  {
    service: 'air-conditioning-installation',
    author: 'hassan',
    daysAgo: 121,
    rating: 3,
    review:
      'Cools well. The outdoor unit hums through the wall of the flat above and the neighbour has written to us twice. Ask about rubber feet before, not after.',
    reply: {
      text: 'We fitted rubber feet free of charge last week, and your neighbour says that the hum is gone. They are now part of every installation above or below a flat.',
      daysAgo: 110,
    },
  },
  {
    service: 'air-conditioning-installation',
    author: 'eleni',
    daysAgo: 188,
    rating: 5,
    review:
      'Το κλιματιστικό μπήκε σε μισή μέρα, χωρίς σκόνη και χωρίς φασαρία. Μας έδειξαν πώς καθαρίζονται τα φίλτρα και γύρισαν μετά από μία εβδομάδα να δουν αν όλα πάνε καλά.',
  },
  {
    service: 'air-conditioning-installation',
    author: 'ola',
    daysAgo: 301,
    rating: 4,
    review:
      'Price was 60 over the quote because the wall turned out to be concrete. Explained on the spot with the drill in hand, I agreed, no hard feelings.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'amira',
    daysAgo: 27,
    rating: 5,
    review:
      'The photos from inside the second elbow made me feel ill. The photos afterwards did not. Nine years, apparently.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'mei',
    daysAgo: 66,
    rating: 5,
    review:
      'They found a stretch of about two metres that they could not reach and left it off the certificate, exactly as the description says. I would rather know.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'ravi',
    daysAgo: 109,
    rating: 4,
    review: 'Thorough. Took until four in the morning instead of two, so book them for a night before a closed day.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'tomas',
    daysAgo: 170,
    rating: 5,
    review: 'Roof left cleaner than the kitchen.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'kwame',
    daysAgo: 233,
    rating: 3,
    review:
      'The duct is clean, I saw it. But a bag of what came out of it stood by our bins for three days until I rang.',
  },
  {
    service: 'duct-cleaning-hood-to-roof',
    author: 'sofia',
    daysAgo: 340,
    rating: 4,
    review: 'Second year with the same two people. They remember where our fuse box is, which saves half an hour.',
  },
  {
    service: 'cold-room-installation',
    author: 'jonas',
    daysAgo: 52,
    rating: 5,
    review:
      'Eight cubic metres, two days, as drawn. They spent the first three hours only on the floor and I thought they were wasting time. The door falls shut by itself from anywhere, so now I know why.',
  },
  {
    service: 'cold-room-installation',
    author: 'beatriz',
    daysAgo: 118,
    rating: 4,
    review:
      'Solid room. The alarm was set so tight that it rang at every delivery in the first week; one phone call and they told us how to change the delay.',
  },
  {
    service: 'cold-room-installation',
    author: 'hassan',
    daysAgo: 207,
    rating: 5,
    review:
      'The morning of training was worth it. Every one of my people has stood inside with the light off and opened that door.',
  },
  {
    service: 'cold-room-installation',
    author: 'dan',
    daysAgo: 290,
    rating: 2,
    review:
      'Unit is undersized or badly placed, we are still arguing about which. Above 30 degrees outside the room climbs to 7 and stays there until evening. They have come three times and been polite three times.',
    editedDaysAgo: 255,
  },
  {
    service: 'gas-safety-check',
    author: 'amira',
    daysAgo: 9,
    rating: 5,
    review:
      'Certificate in my inbox before he had packed his bag. He turned the emergency valve by hand and it did not move, and that went on the list in red. It moves now.',
  },
  {
    service: 'gas-safety-check',
    author: 'yuki',
    daysAgo: 58,
    rating: 4,
    review: 'Calm, explains while he works. I learned that our back burner had been burning yellow for months.',
  },
  {
    service: 'gas-safety-check',
    author: 'nusrat',
    daysAgo: 101,
    rating: 5,
    review: '',
  },
  {
    service: 'gas-safety-check',
    author: 'ola',
    daysAgo: 149,
    rating: 4,
    review:
      'Fair list: one thing now, two later, three only untidy. The one before him gave us eleven things now, all of which he sold.',
  },
  {
    service: 'gas-safety-check',
    author: 'eleni',
    daysAgo: 215,
    review:
      'I am leaving this without stars since I was not there myself; my brother was, and he says the inspector accepted the paper without a question. What I can say is that the label on the old range explains what is wrong with it in words our cooks understand.',
  },
  {
    service: 'hood-installation-fresh-air',
    author: 'jonas',
    daysAgo: 76,
    rating: 5,
    review:
      'The back door used to slam so hard it broke a hinge. Since the supply went in you can hold it with a finger.',
  },
  {
    service: 'hood-installation-fresh-air',
    author: 'sofia',
    daysAgo: 132,
    rating: 4,
    review:
      'Expensive, and worth it by the second winter, because the air that comes back in is warm. The look was free as promised and took an hour rather than half.',
  },
  {
    service: 'hood-installation-fresh-air',
    author: 'kwame',
    daysAgo: 195,
    rating: 3,
    review:
      'Works. But the supply grille blows exactly where our plates wait, so food goes out cooler than before. We have moved the shelf.',
  },
  {
    service: 'hood-installation-fresh-air',
    author: 'mei',
    daysAgo: 318,
    rating: 5,
    review: 'First installer who measured what goes out before talking about what must come in.',
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'amira',
    daysAgo: 3,
    rating: 1,
    review:
      'Rang at 9.20, was told before two. At six nobody had come and the phone went to a machine. We closed the kitchen at 36 degrees. They came the next morning, friendly, as if that had been the plan.',
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'hassan',
    daysAgo: 16,
    rating: 2,
    review:
      'They did come the same day, at ten in the evening, and charged the evening fee because of it. Portable unit leaked over the pass.',
    editedDaysAgo: 10,
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'tomas',
    daysAgo: 37,
    rating: 1,
    review: 'Same day means same day. It was Thursday for a Tuesday.',
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'ravi',
    daysAgo: 64,
    rating: 2,
    review:
      'Fault found in ten minutes, I give him that. The part took eleven days and the portable unit he left was for a bedroom.',
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'dan',
    daysAgo: 92,
    rating: 4,
    review: 'Maybe I was lucky. Called at eight, van outside at ten, drain blown free, cold by lunch.',
  },
  {
    service: 'air-conditioning-same-day-help',
    author: 'yuki',
    daysAgo: 155,
    rating: 1,
    review:
      'Topped up the refrigerant without looking for the leak, though the description says they close it first. Warm again in two weeks, and the refrigerant was charged twice.',
  },
  {
    service: 'hood-repair-fan-motor',
    author: 'kwame',
    daysAgo: 11,
    rating: 4,
    review:
      'Writing again because the same motor is still running after its first winter. A little louder than in spring, I will have the belt looked at.',
  },
  {
    service: 'hood-repair-fan-motor',
    author: 'kwame',
    daysAgo: 296,
    rating: 5,
    review:
      'Howled for a week, then tripped the fuse on a Friday. New bearings by six, dinner at seven. He showed me the old ones: you could shake them like dice.',
  },
  {
    service: 'hood-repair-fan-motor',
    author: 'amira',
    daysAgo: 84,
    rating: 4,
    review:
      'Honest about the invoice for the motor, it was on the table with his own discount on it. Parking fee was added at the end, which I did not expect.',
    editedDaysAgo: 83,
  },
  {
    service: 'hood-repair-fan-motor',
    author: 'beatriz',
    daysAgo: 137,
    rating: 5,
    review: 'Balanced it in place. I did not know our hood could be that quiet, we could suddenly hear the radio.',
  },
  {
    service: 'hood-repair-fan-motor',
    author: 'ola',
    daysAgo: 252,
    rating: 3,
    review: 'Repair fine, diagnosis long. Two hours to say capacitor.',
  },
  {
    service: 'cold-room-repair',
    author: 'jonas',
    daysAgo: 7,
    rating: 5,
    review:
      'Walk-in at 11 degrees on a Saturday with a wedding on Sunday. I was told on the phone to move the meat first and what to look at while waiting. It was a defrost heater stuck on. He lent us one of the famous four freezers and would not take money for it. The bride knows nothing of all this and never will.',
  },
  {
    service: 'cold-room-repair',
    author: 'mei',
    daysAgo: 48,
    rating: 4,
    review:
      'Good repair, clear bill. Asked for the display value, the noise and when it began, and had the right fan with him.',
  },
  {
    service: 'cold-room-repair',
    author: 'nusrat',
    daysAgo: 90,
    rating: 3,
    review:
      'Cold again, but the controller they put in beeps at every button and it cannot be turned off. My night baker hates it.',
  },
  {
    service: 'cold-room-repair',
    author: 'sofia',
    daysAgo: 176,
    rating: 5,
    review:
      'Third cabinet they have saved for us. The fourth they told me to scrap, and they were right about that too.',
  },
  {
    service: 'cold-room-repair',
    author: 'hassan',
    daysAgo: 243,
    rating: 2,
    review:
      'Call-out plus three hours plus a part, and a month later the same fault. They came back without charging the call-out, but the hours were on the bill.',
    editedDaysAgo: 200,
  },
  {
    service: 'duct-cleaning-fan-housing',
    author: 'ravi',
    daysAgo: 29,
    rating: 5,
    review: 'Amps before 4.1, after 3.2. I do not need to understand more than that.',
  },
  {
    service: 'duct-cleaning-fan-housing',
    author: 'dan',
    daysAgo: 113,
    rating: 4,
    review:
      'The wheel looked like a felt slipper. Now it looks like a wheel. Some black water ran down the outside wall and had to be hosed off by us.',
  },
  {
    service: 'duct-cleaning-fan-housing',
    author: 'eleni',
    daysAgo: 167,
    rating: 5,
    review: 'Our hood had gone weak and I was about to buy a bigger fan. Glad I read this page first.',
  },
  {
    service: 'duct-cleaning-fan-housing',
    author: 'amira',
    daysAgo: 259,
    rating: 4,
    review: 'Done before opening, floor dry. They also found the belt nearly through and changed it at cost.',
  },
  {
    service: 'fire-suppression-service',
    author: 'jonas',
    daysAgo: 104,
    rating: 5,
    review:
      'We had moved the fryer 40 centimetres in March and nobody thought about the nozzles. He saw it from the door.',
  },
  {
    service: 'fire-suppression-service',
    author: 'beatriz',
    daysAgo: 151,
    rating: 5,
    review: 'Eleven seconds from link to closed valve, written down and signed. My insurer asked for exactly that.',
  },
  {
    service: 'fire-suppression-service',
    author: 'tomas',
    daysAgo: 228,
    rating: 4,
    review:
      'Good work. The pull station is now where it should be, which is also where the waiters hang their jackets. Not his fault.',
  },
  {
    service: 'fire-suppression-service',
    author: 'ola',
    daysAgo: 311,
    rating: 4,
    review: 'Came on the day, did what is on the list, left a date for the next one.',
  },
  {
    service: 'air-conditioning-yearly-service',
    author: 'sofia',
    daysAgo: 22,
    rating: 5,
    review: 'The card inside the cover is such a simple idea. Three summers of numbers in the same handwriting.',
  },
  {
    service: 'air-conditioning-yearly-service',
    author: 'kwame',
    daysAgo: 69,
    rating: 4,
    review: 'Cleaned, measured, gone in ninety minutes. Would have liked a reminder this year, I had to call myself.',
  },
  {
    service: 'air-conditioning-yearly-service',
    author: 'yuki',
    daysAgo: 127,
    rating: 2,
    review:
      'One of the two filters was put back the wrong way round and whistled until my daughter found it. The coil was clean, so it is not nothing, but looking twice costs no money.',
  },
  {
    service: 'air-conditioning-yearly-service',
    author: 'nusrat',
    daysAgo: 199,
    rating: 4,
    review:
      'Told me the compressor has maybe two summers left and what I can do about it. Nobody likes that news but I can plan.',
  },
  {
    service: 'hood-installation-island',
    author: 'mei',
    daysAgo: 44,
    rating: 5,
    review:
      'Tape on the floor for a day. We walked around it, hit our heads on nothing, and then moved it twenty centimetres before a single hole was drilled. That day saved us the whole job.',
  },
  {
    service: 'hood-installation-island',
    author: 'hassan',
    daysAgo: 98,
    rating: 3,
    review:
      'The hood is right, the box around the duct is not: one corner is open by a finger and you see it from table four. They promised to come back in the spring.',
  },
  {
    service: 'hood-installation-island',
    author: 'amira',
    daysAgo: 163,
    rating: 5,
    review: 'Hung from the slab and it does not move when the trolley hits the range. I have tried, by accident.',
  },
  {
    service: 'hood-installation-island',
    author: 'dan',
    daysAgo: 275,
    rating: 4,
    review: 'Large, loud at full speed, fine at half. Cooking over charcoal needs full.',
  },
  {
    service: 'cold-room-temperature-check',
    author: 'jonas',
    daysAgo: 35,
    rating: 5,
    review:
      'The door says 3. The top shelf said 6.5 for four hours a day. Fish has moved to the bottom and the door display has a sticker on it.',
  },
  {
    service: 'cold-room-temperature-check',
    author: 'eleni',
    daysAgo: 82,
    rating: 4,
    review:
      'Two pages, as promised, and readable. I would have paid a little more for somebody to talk me through the second one.',
  },
  {
    service: 'cold-room-temperature-check',
    author: 'ravi',
    daysAgo: 146,
    rating: 5,
    review:
      'Showed that our problem is the delivery at 11 with the door wedged open, and not the machine that three people wanted to replace.',
  },
  {
    service: 'cold-room-temperature-check',
    author: 'beatriz',
    daysAgo: 238,
    rating: 4,
    review: '',
  },
  {
    service: 'hood-repair-lamps-switches',
    author: 'amira',
    daysAgo: 61,
    rating: 5,
    review: 'We had cooked under one lamp for a year. Turns out there was a lot to clean up there.',
  },
  {
    service: 'hood-repair-lamps-switches',
    author: 'ola',
    daysAgo: 115,
    rating: 5,
    review: 'Found a joint made with kitchen foil. Kept it to show his apprentice.',
  },
  {
    service: 'hood-repair-lamps-switches',
    author: 'kwame',
    daysAgo: 184,
    rating: 4,
    review:
      'Came in the dead hour and really was gone before dinner prep. The new light is rather white, ask for the warm ones.',
  },
  {
    service: 'hood-repair-lamps-switches',
    author: 'tomas',
    daysAgo: 269,
    rating: 1,
    review:
      'Switch failed after five weeks. Message, no answer. Call, no answer. Had it done by somebody else and the wires behind it were not even tight.',
  },
  {
    service: 'gas-safety-interlock',
    author: 'sofia',
    daysAgo: 54,
    rating: 4,
    review:
      'The test where he stops the fan and the flames go out convinced everybody, including the chef who was against it.',
  },
  {
    service: 'gas-safety-interlock',
    author: 'jonas',
    daysAgo: 139,
    rating: 3,
    review:
      'Works as described. What is not described: when it is windy the pressure switch sometimes decides that the fan has stopped, and so has the soup. Adjusted once, better, not gone.',
    editedDaysAgo: 120,
  },
  {
    service: 'gas-safety-interlock',
    author: 'yuki',
    daysAgo: 210,
    rating: 5,
    review: 'Passed inspection on the first visit. Last year without it we failed two.',
  },
  {
    service: 'gas-safety-interlock',
    author: 'mei',
    daysAgo: 327,
    rating: 4,
    review: 'Clean wiring, labelled on both ends.',
  },
  {
    service: 'ceiling-air-conditioning-cleaning',
    author: 'nusrat',
    daysAgo: 15,
    rating: 5,
    review: 'The smell was gone the same day, really. I had thought it was the carpet.',
  },
  {
    service: 'ceiling-air-conditioning-cleaning',
    author: 'dan',
    daysAgo: 78,
    rating: 4,
    review:
      'Four units before lunch. One ceiling panel has a new scratch the length of a thumb, they mentioned it before I saw it.',
  },
  {
    service: 'ceiling-air-conditioning-cleaning',
    author: 'amira',
    daysAgo: 125,
    rating: 5,
    review: 'I watched what came out of the first one and decided not to ask about the other three.',
  },
  {
    service: 'ceiling-air-conditioning-cleaning',
    author: 'hassan',
    daysAgo: 221,
    rating: 3,
    review:
      'Clean, yes, but the pump on unit two has been gurgling since. They say it is air in the line and will pass. It has been a month.',
  },
  {
    service: 'cold-room-doors-seals',
    author: 'ravi',
    daysAgo: 31,
    rating: 5,
    review:
      'Ice on the frame for two winters, gone since the new heater wire. One hundred and fifty for that is nothing.',
  },
  {
    service: 'cold-room-doors-seals',
    author: 'beatriz',
    daysAgo: 95,
    rating: 4,
    review: 'Needed a photo of the profile and then a better photo of the profile. After that it went quickly.',
  },
  {
    service: 'cold-room-doors-seals',
    author: 'jonas',
    daysAgo: 180,
    rating: 5,
    review: 'He stood inside with the light off while his colleague counted outside. Then he made me do it.',
  },
  {
    service: 'cold-room-doors-seals',
    author: 'eleni',
    daysAgo: 249,
    review:
      'The seal came in three weeks instead of one, so I cannot give many stars, and the work itself was so careful that I cannot give few. Make of that what you like.',
  },
  {
    service: 'hood-installation-pizza-oven',
    author: 'tomas',
    daysAgo: 25,
    rating: 5,
    review:
      'We built a wood oven into a room that used to be a bicycle shop, so nothing was where an oven would want it. I asked four firms. Two wanted to hang a grease hood over it and be done, one never came, and these people sent a woman who looked into the oven for a long time before she looked at the wall.\n\nShe explained what I had not understood in a year of reading: that the flame is not the problem, the ash is, and that it goes up light and comes down again as soon as the air slows. So the canopy is taller than I wanted, the duct is wider than the builder wanted, and there is a door in it at the one place where it bends. We argued about that door because it is ugly and it faces the guests. I lost. In the first month I opened it and swept out a bucket, and I have not complained about it since.\n\nThe installation took three days and not two. The first day was measuring again, since the oven had settled by a centimetre and she did not want to cut steel for a number that was no longer true. The beam behind the plaster, which nobody knew about, cost another half day; she showed me the clearance in the standard, moved the duct by a hand’s width and charged for the elbow only.\n\nWhat could be better: the quote was two pages of abbreviations, and the lamp that came with the canopy is too weak to see the crust by. We bought another. Everything else is still straight, still quiet, and on a full Saturday night the people at the first table smell dough and not smoke. That was all I ever wanted from it.',
  },
  {
    service: 'hood-installation-pizza-oven',
    author: 'sofia',
    daysAgo: 107,
    rating: 4,
    review:
      'The spark trap does come out with one hand. Cleaning it takes two and a bucket, every evening. Nobody tells you that part.',
  },
  {
    service: 'hood-installation-pizza-oven',
    author: 'kwame',
    daysAgo: 192,
    rating: 5,
    review: 'The plate with the clearances on it was the first thing the fire officer looked for.',
  },
  {
    service: 'hood-installation-pizza-oven',
    author: 'amira',
    daysAgo: 310,
    rating: 4,
    review: 'Beautiful canopy. The order took seven weeks, tell them early.',
  },
  {
    service: 'gas-leak-repair',
    author: 'hassan',
    daysAgo: 40,
    rating: 5,
    review:
      'The supplier had closed our meter on Sunday night. He was there at seven, found two joints, held the line for thirty minutes and let me look at the gauge like a film. Open for lunch.',
  },
  {
    service: 'gas-leak-repair',
    author: 'mei',
    daysAgo: 85,
    rating: 5,
    review: 'On the phone he asked first whether everybody was outside. Only then my name.',
  },
  {
    service: 'gas-leak-repair',
    author: 'ola',
    daysAgo: 158,
    rating: 4,
    review:
      'Short list from a busy kitchen:\n- came when he said\n- found the leak behind the second range, not where I thought\n- changed valve and hose\n- left the old valve on the counter so that I could see the crack\n\nOne thing to do better: sweep up.',
  },
  {
    service: 'gas-leak-repair',
    author: 'jonas',
    daysAgo: 232,
    rating: 4,
    review: 'Changed three hoses I had not called him for, but he showed me the cracks and they were real.',
  },
  {
    service: 'gas-leak-repair',
    author: 'yuki',
    daysAgo: 352,
    rating: 3,
    review: 'Solid work, the van blocked our delivery bay for three hours.',
  },
  {
    service: 'hood-repair-rattle',
    author: 'eleni',
    daysAgo: 20,
    rating: 5,
    review: 'A rubber strip and a handshake, word for word. He charged for half an hour.',
  },
  {
    service: 'hood-repair-rattle',
    author: 'dan',
    daysAgo: 71,
    rating: 4,
    review: 'It was the duct against a joist. Quiet now, except on very cold mornings.',
  },
  {
    service: 'hood-repair-rattle',
    author: 'nusrat',
    daysAgo: 134,
    rating: 2,
    review:
      'Quiet for eleven days. Then it was back, a bit lower in pitch, as if it had only been moved. He says the wheel must come out, and that is a different price.',
    editedDaysAgo: 129,
  },
  {
    service: 'hood-repair-rattle',
    author: 'jonas',
    daysAgo: 262,
    rating: 5,
    review:
      'Went through all four causes in the order he lists them and it was the last one. Still charged the plain price.',
  },
  {
    service: 'duct-cleaning-camera-check',
    author: 'sofia',
    daysAgo: 13,
    rating: 5,
    review:
      'Watched the film with my accountant. We are leaving it alone until spring, and that came from the person with the camera, who could have said anything.',
  },
  {
    service: 'duct-cleaning-camera-check',
    author: 'beatriz',
    daysAgo: 63,
    review:
      'Useful, a bit like going to the dentist and only being looked at. I have not decided yet what it was worth to us.',
  },
  {
    service: 'duct-cleaning-camera-check',
    author: 'ravi',
    daysAgo: 122,
    rating: 4,
    review: 'The sketch with distances let the cleaners quote exactly. Picture is dark in the long straight part.',
  },
  {
    service: 'duct-cleaning-camera-check',
    author: 'amira',
    daysAgo: 205,
    rating: 3,
    review:
      'Crawler got stuck at the second elbow for an hour, and so did we, since the hood was off. In the end the answer was clear enough: clean now.',
  },
  {
    service: 'air-conditioning-repair',
    author: 'ola',
    daysAgo: 18,
    rating: 4,
    review: 'Flour on the coil, exactly as it says. I feel caught.',
  },
  {
    service: 'air-conditioning-repair',
    author: 'kwame',
    daysAgo: 56,
    rating: 1,
    review:
      'Came, looked, said board. Came again, board was for another model. Came a third time and the unit dripped more than before. I paid for one visit, correct, but I lost three mornings.',
  },
  {
    service: 'air-conditioning-repair',
    author: 'tomas',
    daysAgo: 111,
    rating: 2,
    review:
      'Stopped the drip with a bent piece of wire. It held until the warranty of the repair was over, to the week.',
  },
  {
    service: 'air-conditioning-repair',
    author: 'yuki',
    daysAgo: 174,
    rating: 3,
    review: 'Fine for what it is. He did read me the price before ordering. The price was high.',
  },
  {
    service: 'air-conditioning-repair',
    author: 'mei',
    daysAgo: 287,
    rating: 5,
    review: 'Float switch, forty minutes, floor wiped. Could not ask for more.',
  },
  {
    service: 'food-truck-hood-installation',
    author: 'hassan',
    daysAgo: 46,
    rating: 5,
    review:
      'Two days without the truck, as they said, and the roof has been dry through a whole festival summer. At 110 on the motorway you hear nothing.',
  },
  {
    service: 'food-truck-hood-installation',
    author: 'dan',
    daysAgo: 130,
    rating: 4,
    review: 'Measured with the hatch shut and me standing at the griddle. I am tall, so the hood went up by a hand.',
  },
  {
    service: 'food-truck-hood-installation',
    author: 'nusrat',
    daysAgo: 218,
    rating: 4,
    review: 'Fan is quiet enough to take orders. The switch sits where my elbow goes, so sometimes it is very quiet.',
  },
  {
    service: 'food-truck-hood-installation',
    author: 'jonas',
    daysAgo: 305,
    rating: 3,
    review:
      'Good hood, wrong certificate: it had another truck’s number on it and I noticed at the pitch gate at five in the morning. Sorted by email in an hour, but what an hour.',
  },
  {
    service: 'night-duct-cleaning',
    author: 'eleni',
    daysAgo: 8,
    rating: 5,
    review: 'They come, we sleep, the readings are on the door in the morning. Third year.',
  },
  {
    service: 'night-duct-cleaning',
    author: 'ravi',
    daysAgo: 80,
    rating: 4,
    review:
      'The same six points every time, and the line is going down. One visit was moved by a week with two days of notice.',
  },
  {
    service: 'night-duct-cleaning',
    author: 'amira',
    daysAgo: 172,
    rating: 5,
    review: 'I gave them a key, which I do not do easily. Nothing has ever stood in another place than before.',
  },
  {
    service: 'night-duct-cleaning',
    author: 'jonas',
    daysAgo: 4,
    review:
      'If you need photos of your kitchen for a menu, my cousin takes them for half of what others ask. Write to me and I send you his number.',
    report: {
      by: 'amira',
      reason: 'spam',
      text: 'This is an advertisement for photos, not a review.',
      hiddenBecause: 'This advertises another business. Reviews must be about the service.',
    },
  },
  {
    service: 'hood-repair-grease-leak',
    author: 'jonas',
    daysAgo: 6,
    rating: 4,
    review:
      'It dripped on the same burner for months. Seam found with a finger, literally. He welded it and did not paint over the mark, so I can check it.',
  },
  {
    service: 'hood-repair-grease-leak',
    author: 'tomas',
    daysAgo: 50,
    rating: 5,
    review: 'He refused to seal it before the trough was clean. Annoying for an hour, right for good.',
  },
  {
    service: 'hood-repair-grease-leak',
    author: 'beatriz',
    daysAgo: 142,
    rating: 3,
    review:
      'The drip is gone from the front and there is now a smaller one at the back. He had warned me that the duct above leaks too and is priced apart.',
  },
  {
    service: 'hood-repair-grease-leak',
    author: 'kwame',
    daysAgo: 240,
    rating: 4,
    review: 'Photos before and after, in focus, which I mention because it is rare.',
  },
  {
    service: 'hood-repair-grease-leak',
    author: 'nadia',
    daysAgo: 301,
    rating: 5,
    review: 'The gutter was blocked, nothing else. He showed me how to clear it and charged only the visit.',
  },
];
