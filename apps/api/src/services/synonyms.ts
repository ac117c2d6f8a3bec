interface Synonym {
  /** Words and phrases that customers type. */
  typed: readonly string[];
  /**
   * Words and phrases with the same meaning as `typed`, which services may contain instead. A service matches a phrase
   * if it contains all words of the phrase.
   */
  meant: readonly string[];
}

/**
 * The synonyms for searches. A search for one of the `typed` phrases also finds the services with one of the `meant`
 * phrases. All words are in lower case. In `typed`, a plural such as 'hobs' needs no entry, because `singularsOf` handles
 * it. Exceptions are plurals of phrases, and plurals with fewer than four letters, such as 'acs'.
 */
export const synonyms: readonly Synonym[] = [
  {
    typed: ['ac', 'acs', 'a c', 'aircon', 'air con', 'air cond', 'air conditioner', 'air conditioning', 'aircondition'],
    meant: ['air conditioning', 'air conditioner', 'aircon', 'ac'],
  },
  { typed: ['cooling', 'hvac', 'split unit', 'wall unit'], meant: ['air conditioning'] },
  {
    typed: ['fridge', 'refrigerator', 'refrigeration', 'chiller', 'cooler', 'cold store', 'cold storage'],
    meant: ['cold room', 'fridge', 'refrigerator', 'refrigeration', 'chiller', 'cooler'],
  },
  { typed: ['coldroom', 'cool room', 'coolroom', 'walk in', 'walkin'], meant: ['cold room', 'walk ins', 'walk in'] },
  { typed: ['freezer', 'deep freeze'], meant: ['cold room', 'freezer'] },
  { typed: ['icemaker', 'ice maker'], meant: ['ice machine'] },
  {
    typed: ['exhaust', 'extractor', 'extraction', 'cooker hood', 'range hood', 'kitchen hood'],
    meant: ['hood', 'exhaust', 'extractor'],
  },
  { typed: ['chimney', 'flue'], meant: ['hood', 'duct', 'chimney', 'flue'] },
  { typed: ['vent', 'ventilation'], meant: ['duct', 'hood', 'ventilation', 'vent'] },
  { typed: ['ducting', 'ductwork', 'air shaft'], meant: ['duct'] },
  { typed: ['ventilator', 'blower'], meant: ['fan'] },
  { typed: ['makeup air', 'make up air', 'supply air'], meant: ['fresh air', 'make up air'] },
  { typed: ['stove', 'cooker', 'hob', 'cooktop'], meant: ['range', 'stove', 'cooker'] },
  { typed: ['pizzeria'], meant: ['pizza'] },
  { typed: ['bakery', 'baker'], meant: ['bread', 'bakery'] },
  { typed: ['food trailer', 'food van'], meant: ['food truck'] },
  { typed: ['fix', 'fixing', 'mend', 'mending', 'broken', 'repairing', 'repairman'], meant: ['repair'] },
  { typed: ['installer', 'installing', 'fitting', 'fitter', 'mounting'], meant: ['installation', 'install'] },
  { typed: ['cleaner', 'degrease', 'degreasing', 'washing', 'scrubbing'], meant: ['cleaning'] },
  { typed: ['maintenance', 'servicing', 'upkeep'], meant: ['service', 'maintenance'] },
  { typed: ['inspection', 'inspect', 'inspector', 'audit'], meant: ['check', 'inspection'] },
  { typed: ['certification', 'certified', 'cp12'], meant: ['certificate'] },
  { typed: ['annual', 'annually'], meant: ['yearly', 'annual'] },
  { typed: ['emergency', 'urgent', 'today'], meant: ['same day', 'emergency'] },
  { typed: ['leakage', 'drip'], meant: ['leak', 'leaks', 'leaking', 'dripping'] },
  { typed: ['noise', 'noisy', 'rattling', 'vibrating'], meant: ['rattle', 'vibration', 'noise'] },
  { typed: ['light', 'lighting', 'bulb'], meant: ['lamp', 'lamps', 'light'] },
  { typed: ['electric', 'electrical', 'electrician', 'wire', 'cabling'], meant: ['wiring'] },
  { typed: ['engine'], meant: ['motor'] },
  { typed: ['fat', 'oil'], meant: ['grease'] },
  { typed: ['smell', 'odour', 'odor', 'stink'], meant: ['smell', 'odour'] },
  { typed: ['gasket'], meant: ['seal', 'seals', 'gasket'] },
  { typed: ['sprinkler', 'ansul'], meant: ['fire suppression'] },
  { typed: ['lpg', 'propane', 'butane'], meant: ['gas'] },
  { typed: ['thermometer', 'haccp'], meant: ['temperature'] },
  { typed: ['video', 'cctv'], meant: ['camera'] },
];
