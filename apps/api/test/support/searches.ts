/**
 * A search of the demo catalogue. `first` contains the slugs of the services that a customer expects first. Without a slug,
 * the search must find nothing.
 */
export interface ExpectedSearch {
  q: string;
  first: readonly string[];
  /** The words that were searched for, if words were corrected or left out. */
  searchedFor?: string;
  leftOut?: string;
}

/** If a customer does not find what they want, add their search here. */
export const expectedSearches: readonly ExpectedSearch[] = [
  // Searches with one word. The first results are the services with this word in their titles, newest first.
  { q: 'hood', first: ['hood-installation-wall-canopy', 'hood-repair-filters', 'duct-cleaning-hood-to-roof'] },
  { q: 'HOOD', first: ['hood-installation-wall-canopy'] },
  { q: 'duct', first: ['duct-cleaning-hood-to-roof', 'duct-cleaning-fan-housing'] },
  { q: 'fan', first: ['hood-repair-fan-motor', 'duct-cleaning-fan-housing', 'gas-safety-interlock'] },
  { q: 'gas', first: ['gas-safety-check', 'fire-suppression-service', 'gas-safety-interlock', 'gas-leak-repair'] },
  { q: 'fire', first: ['fire-suppression-service', 'fire-extinguishers-blankets'] },
  { q: 'pizza', first: ['hood-installation-pizza-oven'] },
  { q: 'camera', first: ['duct-cleaning-camera-check'] },
  { q: 'canopy', first: ['hood-installation-wall-canopy'] },
  { q: 'certificate', first: ['gas-safety-check'] },
  { q: 'ice', first: ['ice-machine-service'] },
  { q: 'island', first: ['hood-installation-island'] },

  // Searches with several words, such as a device and a task.
  { q: 'hood installation', first: ['hood-installation-wall-canopy', 'hood-installation-fresh-air'] },
  { q: 'hood repair', first: ['hood-repair-filters', 'hood-repair-fan-motor', 'hood-repair-lamps-switches'] },
  { q: 'repair hood', first: ['hood-repair-filters'] },
  { q: 'duct cleaning', first: ['duct-cleaning-hood-to-roof', 'duct-cleaning-fan-housing'] },
  { q: 'hood cleaning', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'air conditioning', first: ['air-conditioning-installation', 'air-conditioning-same-day-help'] },
  { q: 'air conditioning repair', first: ['air-conditioning-repair'] },
  { q: 'cold room', first: ['cold-room-installation', 'cold-room-repair', 'cold-room-temperature-check'] },
  { q: 'cold room repair', first: ['cold-room-repair'] },
  { q: 'cold room door', first: ['cold-room-doors-seals'] },
  { q: 'gas safety', first: ['gas-safety-check', 'fire-suppression-service'] },
  { q: 'gas leak', first: ['gas-leak-repair'] },
  { q: 'gas check', first: ['gas-safety-check'] },
  { q: 'fan motor', first: ['hood-repair-fan-motor'] },
  { q: 'food truck', first: ['food-truck-hood-installation'] },
  { q: 'fresh air', first: ['hood-installation-fresh-air'] },
  { q: 'same day', first: ['air-conditioning-same-day-help'] },
  { q: 'fire extinguisher', first: ['fire-extinguishers-blankets'] },
  { q: 'ice machine', first: ['ice-machine-service'] },
  { q: 'yearly contract', first: ['night-duct-cleaning'] },
  { q: 'grease leak', first: ['hood-repair-grease-leak'] },
  { q: 'wall unit', first: ['air-conditioning-installation'] },

  // Searches with the start of a word, as customers type it.
  { q: 'inst', first: ['hood-installation-wall-canopy', 'air-conditioning-installation'] },
  { q: 'hood inst', first: ['hood-installation-wall-canopy'] },
  { q: 'condi', first: ['air-conditioning-installation'] },
  { q: 'extin', first: ['fire-extinguishers-blankets'] },
  { q: 'baff', first: ['hood-repair-filters'] },

  // Searches with words that only occur in descriptions.
  { q: 'gutter', first: ['hood-repair-grease-leak'] },
  { q: 'detector', first: ['gas-leak-repair'] },
  { q: 'solenoid', first: ['gas-safety-interlock'] },
  { q: 'insurer', first: ['night-duct-cleaning'] },
  { q: 'chest freezer', first: ['cold-room-repair'] },
  { q: 'spark trap', first: ['hood-installation-pizza-oven'] },

  // A match in the title is better than one in the description, and a whole word is better than the start of a word.
  { q: 'filters', first: ['hood-repair-filters'] },
  { q: 'lamps', first: ['hood-repair-lamps-switches'] },
  { q: 'seal', first: ['cold-room-doors-seals'] },
  { q: 'temperature', first: ['cold-room-temperature-check'] },
  { q: 'oven', first: ['hood-installation-pizza-oven'] },

  // Searches with synonyms: the services contain another word with the same meaning.
  { q: 'ac', first: ['air-conditioning-installation', 'air-conditioning-same-day-help'] },
  { q: 'a/c', first: ['air-conditioning-installation'] },
  { q: 'AC repair', first: ['air-conditioning-repair'] },
  { q: 'aircon installation', first: ['air-conditioning-installation'] },
  { q: 'air conditioner cleaning', first: ['ceiling-air-conditioning-cleaning'] },
  { q: 'fridge', first: ['cold-room-installation', 'cold-room-repair'] },
  { q: 'fridge repair', first: ['cold-room-repair'] },
  { q: 'refrigerator', first: ['cold-room-installation'] },
  { q: 'freezer', first: ['cold-room-installation'] },
  { q: 'walk-in', first: ['cold-room-installation', 'cold-room-repair'] },
  { q: 'exhaust', first: ['hood-installation-wall-canopy'] },
  { q: 'exhaust fan', first: ['hood-repair-fan-motor'] },
  { q: 'exhaust cleaning', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'extractor repair', first: ['hood-repair-filters'] },
  { q: 'chimney', first: ['hood-installation-wall-canopy'] },
  { q: 'chimney cleaning', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'ventilation cleaning', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'ductwork cleaning', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'range hood', first: ['hood-installation-wall-canopy'] },
  { q: 'hoods', first: ['hood-installation-wall-canopy', 'hood-repair-filters'] },
  { q: 'ducts', first: ['duct-cleaning-hood-to-roof'] },
  { q: 'fix hood', first: ['hood-repair-filters'] },
  { q: 'bulb', first: ['hood-repair-lamps-switches'] },
  { q: 'electrician', first: ['hood-repair-lamps-switches'] },
  { q: 'noisy hood', first: ['hood-repair-rattle'] },
  { q: 'gasket', first: ['cold-room-doors-seals'] },
  { q: 'emergency ac', first: ['air-conditioning-same-day-help'] },
  { q: 'icemaker', first: ['ice-machine-service'] },
  { q: 'gas inspection', first: ['gas-safety-check'] },

  // Searches with typing errors: one letter of a word is wrong, missing or added, or two letters are swapped.
  { q: 'hod', first: ['hood-installation-wall-canopy'], searchedFor: 'hood' },
  { q: 'hoood', first: ['hood-installation-wall-canopy'], searchedFor: 'hood' },
  { q: 'instalation', first: ['hood-installation-wall-canopy'], searchedFor: 'installation' },
  { q: 'hood repiar', first: ['hood-repair-filters'], searchedFor: 'hood repair' },
  { q: 'dukt claening', first: ['duct-cleaning-hood-to-roof'], searchedFor: 'duct cleaning' },
  { q: 'air condtioning', first: ['air-conditioning-installation'], searchedFor: 'air conditioning' },
  { q: 'gas saftey', first: ['gas-safety-check'], searchedFor: 'gas safety' },
  { q: 'extinguiser', first: ['fire-extinguishers-blankets'], searchedFor: 'extinguisher' },
  { q: 'temprature', first: ['cold-room-temperature-check'], searchedFor: 'temperature' },
  { q: 'frige', first: ['cold-room-installation'], searchedFor: 'fridge' },
  { q: 'exaust fan', first: ['hood-repair-fan-motor'], searchedFor: 'exhaust fan' },
  { q: 'chimny', first: ['hood-installation-wall-canopy'], searchedFor: 'chimney' },
  { q: 'condishioning', first: ['air-conditioning-installation'], searchedFor: 'conditioning' },

  // Searches with a place, with words that say nothing, and with words that no service has.
  { q: 'harbour', first: ['hood-installation-wall-canopy'] },
  { q: 'old town', first: ['hood-installation-wall-canopy'] },
  { q: 'hood old town', first: ['hood-installation-wall-canopy'] },
  { q: 'fix my hood', first: ['hood-repair-filters'] },
  { q: 'hood repair near me', first: ['hood-repair-filters'] },
  { q: 'hood repair queens', first: ['hood-repair-filters'], searchedFor: 'hood repair', leftOut: 'queens' },
  { q: 'hod repiar queens', first: ['hood-repair-filters'], searchedFor: 'hood repair', leftOut: 'queens' },
  { q: 'dishwasher', first: [] },

  // Searches in other languages. The test adds these two services.
  { q: 'Dunstabzugshaube', first: ['Dunstabzugshaube reparieren'] },
  { q: 'dunstabzugs', first: ['Dunstabzugshaube reparieren'] },
  { q: 'größere Geräte', first: ['Dunstabzugshaube reparieren'] },
  { q: 'LUFTER', first: ['Dunstabzugshaube reparieren'] },
  {
    q: 'Dunstabzughaube',
    first: ['Dunstabzugshaube reparieren'],
    searchedFor: 'dunstabzugshaube',
  },
  { q: 'হুড মেরামত', first: ['রান্নাঘরের হুড মেরামত'] },
  { q: 'ঢাকা', first: ['রান্নাঘরের হুড মেরামত'] },
  { q: 'মেরা', first: ['রান্নাঘরের হুড মেরামত'] },
];
