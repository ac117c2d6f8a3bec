export const equipment =
  'hood duct fan filter grill oven fryer freezer cooler boiler dishwasher mixer sink tap drain'.split(' ');
export const tasks = 'cleaning repair installation inspection replacement rental balancing rewiring'.split(' ');
export const places = 'restaurants canteens bakeries hotels cafes hospitals schools caterers'.split(' ');
/** Some areas have far more services than others. */
export const areas = ['old', 'new', 'north', 'south', 'east', 'west'].flatMap((side) =>
  ['town', 'harbour', 'market', 'station', 'hill', 'park', 'mill', 'bridge'].map((part) => `${side} ${part}`),
);
export const otherWords =
  'the a our we it was is very not so and but with without after before they came on time late early quick slow honest careful clean dirty loud quiet grease smoke steam heat cold water price fair high again kitchen night week chef cook staff friendly helpful call phone visit work done well badly never always'.split(
    ' ',
  );
export const allWords = [
  ...new Set([
    ...equipment,
    ...tasks,
    ...places,
    ...otherWords,
    ...areas.flatMap((area) => area.split(' ')),
    'for',
    'home',
    'away',
    'number',
  ]),
];
