import type { ServiceInput } from '@rtr/shared';

/** A service of the demonstration. Its picture is /pictures/<slug>.svg. */
export interface CatalogueEntry extends Partial<Omit<ServiceInput, 'img'>> {
  slug: string;
  title: string;
  /**
   * The customer who listed the service: a key of `seedAuthors`. This customer writes no review of the service. Absent if
   * the service has no lister. The phone numbers of listers (555-0100 to 555-0199) and the domain example.com are reserved
   * for fiction.
   */
  lister?: string;
}

/**
 * The services of the demonstration, from the oldest to the newest. The web app lists them in the opposite order. Services
 * next to each other are of different kinds.
 */
export const catalogue: readonly CatalogueEntry[] = [
  {
    slug: 'hood-repair-grease-leak',
    title: 'Hood repair: grease leaks and open seams',
    price: '$180',
    ratting: '4.6',
    description:
      'If grease drips from the lip or runs down the back wall, a seam has opened or the gutter is blocked. I take the filters out, clean the trough, find the open seam with a lamp and a dry finger, and close it with a weld or a high-temperature sealant, whichever the steel allows.\n\nYou get photos of the seam before and after. If the duct above leaks as well, I tell you so and price it apart; I do not seal over dirt.',
    phone: '+1 555 0120',
    area: 'Old town and harbour',
  },
  {
    slug: 'night-duct-cleaning',
    title: 'Night duct cleaning on a yearly contract',
    price: '$2,150 per year',
    ratting: '4.7',
    description:
      'Two of us come after your last table and leave before the first delivery. We sheet the line, brush the riser down into a closed vacuum, wipe the hood and put every filter back dry. Four visits a year, on nights you choose in January.\n\nEvery visit ends with thickness readings from the same six points, so you and your insurer can see the trend instead of taking our word.',
    phone: '+1 555 0170',
    area: 'Inside the ring road',
  },
  {
    slug: 'food-truck-hood-installation',
    title: 'Food truck hood installation',
    price: 'from $1,450',
    ratting: '4.5',
    description:
      'A low hood for a low roof. We measure in the truck, with the hatch shut and the griddle where it really stands, then cut a curb that stays watertight at motorway speed. The fan runs from 12 V or from your generator and is quiet enough to take an order beside. Certificate for the pitch inspector included. Plan on two days without the truck.',
    phone: '+1 555 0121',
    website: 'https://kitchen-21.example.com/',
    area: 'Riverside',
  },
  {
    slug: 'fire-extinguishers-blankets',
    title: 'Gas safety corner: fire extinguishers and blankets',
    price: '$95 per visit',
    ratting: '',
    description:
      'A wet-chemical extinguisher for the fryer, a CO2 one for the panel and a blanket by the door, hung at the height your shortest cook can reach. We check pressure, pins and dates, and show the shift that is in how to use each of them, ten minutes, standing up. We also check that the gas valve can be reached without crossing the fire.',
    phone: '+1 555 0171',
    area: 'Within 40 km of the city',
  },
  {
    slug: 'air-conditioning-repair',
    title: 'Air conditioning repair: dripping or dead units',
    price: '$140',
    ratting: '4.2',
    description:
      'Most wall units over a kitchen pass do not need gas, they need a clean drain and a coil without flour on it. The price covers the visit, the first hour, clearing the drain and a new float switch if that is the fault.\n\nBoards and fan motors cost extra. I read you the price before I order the part, and the visit is not charged twice when I come back to fit it.',
    website: 'https://kitchen-22.example.com/',
    area: 'North station',
  },
  {
    slug: 'ice-machine-service',
    title: 'Ice machine and cold room service visit',
    price: '$165',
    ratting: '4.4',
    description:
      'Descale, sanitise, change the water filter, check the bin seal and weigh one harvest against the maker’s table. While the acid works I clean the condenser of the cold room next door, since the tools are out anyway. Allow two and a half hours, and keep a bag of ice for the bar.',
    phone: '+1 555 0172',
  },
  {
    slug: 'duct-cleaning-camera-check',
    title: 'Duct cleaning check with camera',
    price: '$120',
    ratting: '4.8',
    description:
      'Before you pay anyone for cleaning, look inside. A small crawler with a lamp drives through the duct and you watch on the screen beside me. Afterwards you have the film, a sketch with distances, and a plain answer: clean now, clean within six months, or leave it alone. I sell no cleaning myself, so I have no reason to frighten you.',
    phone: '+1 555 0123',
    area: 'University hill',
  },
  {
    slug: 'hood-repair-rattle',
    title: 'Hood repair: rattle and vibration',
    price: '$110',
    ratting: '4.3',
    description:
      'A hood that rattles is telling you about one of four things: a loose filter, a worn fan mount, a wheel out of balance or a duct that touches the joist. I go through them in that order because that is also the order of cost. Half of these jobs end with a rubber strip and a handshake. If it is the wheel, I balance it on site where the motor allows it.',
    area: 'Market quarter',
  },
  {
    slug: 'gas-leak-repair',
    title: 'Gas safety repair: leaking joints and valves',
    price: 'from $130',
    ratting: '4.9',
    description:
      'If you smell gas now: close the valve, open the doors, switch nothing, and call the emergency number of your supplier. They make it safe, free of charge. We are who you call next.\n\nWe find the joint with leak spray and a detector, replace it, and hold the line under pressure for thirty minutes with the gauge where you can see it. Worn hoses behind ranges are changed at the same visit.',
    lister: 'amira',
    phone: '+1 555 0163',
    website: 'https://cool-kitchens.example.com/gas',
    area: 'City and suburbs',
    hours: 'Monday to Saturday, 7:00 to 19:00',
    licence: 'Gas fitter, licence 20417',
    insured: 'yes',
  },
  {
    slug: 'hood-installation-pizza-oven',
    title: 'Hood installation for pizza and bread ovens',
    price: 'from $1,900',
    ratting: '4.7',
    description:
      'Ovens with a live flame throw sparks and a lot of fine ash, so a normal grease hood is the wrong hood. We fit one with a spark trap you can lift out with one hand, a taller canopy and a duct with its own door for sweeping. Clearances to wood are measured and written on a plate on the hood, because the next owner will ask.',
    area: 'University hill',
  },
  {
    slug: 'cold-room-doors-seals',
    title: 'Cold room doors, seals and hinges',
    price: '$150 per door',
    ratting: '4.6',
    description:
      'A bad seal costs more in a summer than this job does. We fit a new gasket cut to your door, set the hinges so that it falls shut from 30 degrees, and replace the heater wire where ice forms on the frame. The inside release is tested with the light off, by somebody standing inside. Most makes are in the van; for old ones we need a photo of the profile.',
    website: 'https://kitchen-25.example.com/',
    area: 'Market quarter',
  },
  {
    slug: 'ceiling-air-conditioning-cleaning',
    title: 'Ceiling air conditioning: cassette cleaning',
    price: '$125 per unit',
    ratting: '4.5',
    description:
      'Four louvres, one tray, one pump, and behind them a coil that has been breathing your dining room for years. We sheet the tables, drop the panel, foam and rinse the coil into a bag, and flush the pump until it runs clear. The smell goes on the same day. Bookable from 7 in the morning so that you can open for lunch.',
    area: 'Old town and harbour',
  },
  {
    slug: 'duct-cleaning-access-panels',
    title: 'Access panels for duct cleaning',
    price: '$85 per panel',
    ratting: '',
    description:
      'A duct nobody can open is a duct nobody cleans. We cut and fit rated panels at each change of direction and every three metres of straight run, gasketed, bolted and labelled with a number that matches the sketch we leave. No sparks near grease: the cutting is done cold, with a nibbler, after the spot has been scraped.',
    phone: '+1 555 0126',
    area: 'Inside the ring road',
  },
  {
    slug: 'gas-safety-interlock',
    title: 'Gas safety interlock between fan and gas line',
    price: '$890',
    ratting: '4.6',
    description:
      'No air, no gas: the valve opens only while the fan really moves air, which a pressure switch in the duct decides and not the lamp on the button. We fit the solenoid, the panel and the switch, wire them, and prove it by stopping the fan in front of you.\n\nThe key for the override stays with the owner. Inspectors like that; chefs get used to it.',
    area: 'Riverside',
  },
  {
    slug: 'hood-repair-lamps-switches',
    title: 'Hood repair: lamps, switches and wiring',
    price: '$90',
    ratting: '4.7',
    description:
      'Dark hoods hide dirt and cut fingers. I replace lamps with sealed LED fittings that stand the steam, change tired switches and speed controllers, and put right whatever the last person joined with tape. The circuit is tested before I close the cover. Two lamps are included; more are $22 each. Usually done in the dead hour between lunch and dinner.',
    phone: '+1 555 0127',
    website: 'https://kitchen-27.example.com/',
    area: 'Within 40 km of the city',
  },
  {
    slug: 'cold-room-temperature-check',
    title: 'Cold room temperature check and records',
    price: '$75 per visit',
    ratting: '4.8',
    description:
      'We put calibrated loggers on three shelves for 48 hours, load the room as you normally do, and give you the curve: how warm it gets at delivery time, how long it takes to recover, and whether the display on the door tells the truth. The report is two pages and names the shelf to keep the fish on.',
    area: 'North station',
  },
  {
    slug: 'hood-installation-island',
    title: 'Island hood installation with open sides',
    price: 'from $2,400',
    ratting: '4.4',
    description:
      'A hood in the middle of the room has no wall to help it, so it must be larger than the range by 150 mm on every side and it needs more air. We hang it from threaded rod into the slab, not from the ceiling panels, set it with a level and a plumb line and box the duct in the finish you choose.\n\nWe draw it on your floor with tape first. Walk around it for a day before we order.',
    website: 'https://kitchen-28.example.com/',
    area: 'Riverside',
  },
  {
    slug: 'air-conditioning-yearly-service',
    title: 'Air conditioning yearly service, indoor and outdoor unit',
    price: '$110',
    ratting: '4.6',
    description:
      'One visit before the summer: filters washed, both coils cleaned, drain flushed, pressures and amps read and written on a card inside the cover next to last year’s. If a number has moved, you hear what it means and what happens if you do nothing. Second and third units in the same building are $70 each.',
    area: 'Within 40 km of the city',
  },
  {
    slug: 'fire-suppression-service',
    title: 'Fire suppression and gas safety service for hoods',
    price: '$260',
    ratting: '4.9',
    description:
      'Every six months: cylinder weighed, links changed, nozzles opened and capped, the pull station tested, and the gas valve watched while it closes. We time the whole chain with a stopwatch and write the seconds down.\n\nIf the range has been moved since the last visit, the nozzles may no longer point at the fire. We check that first, and it is the fault we find most.',
    phone: '+1 555 0129',
    area: 'North station',
  },
  {
    slug: 'duct-cleaning-fan-housing',
    title: 'Duct cleaning: fan wheel and housing',
    price: '$320',
    ratting: '4.5',
    description:
      'When the hood has gone weak but the duct is clean, the wheel is dirty. A few millimetres of grease on the blades cost a third of the air. We open the housing, scrape and wash the wheel in place, clean the drain and check belt and bearings while it is open. Amps are read before and after, so you can see what you paid for.',
  },
  {
    slug: 'cold-room-repair',
    title: 'Cold room repair, cabinets and walk-ins',
    price: '$95 call-out, then $80 an hour',
    ratting: '4.3',
    description:
      'Tell us the temperature on the display, what the compressor does and when it started, and we bring the right parts. Controllers, fans, defrost heaters, valves and leaks, on cabinets and walk-ins of every make.\n\nMove the meat first. If we cannot make it cold today we lend you a chest freezer, first come, first served; we own four.',
    lister: 'amira',
    phone: '+1 555 0163',
    area: 'City and suburbs',
  },
  {
    slug: 'hood-repair-fan-motor',
    title: 'Hood repair: fan motor and bearings',
    price: '$240',
    ratting: '4.6',
    description:
      'A fan that hums and does not turn, or howls and then trips, wants bearings or a capacitor; now and then a motor. The price covers diagnosis, bearings, capacitor and balancing. A new motor is charged at the invoice I paid, and you see the invoice. I carry the four common frames, so most kitchens cook the same evening.',
    area: 'Market quarter',
  },
  {
    slug: 'air-conditioning-same-day-help',
    title: 'Air conditioning help on the same day',
    price: '$190',
    ratting: '4.8',
    description:
      'When the kitchen is at 38 degrees and the unit blinks at you, we come the same day if you ring before noon. The visit covers finding the fault, what can be cleared at once, and a portable unit until the part is there. Evenings and Sundays cost $60 more. Refrigerant is charged by weight and only after the leak is closed.',
    lister: 'kwame',
    phone: '+1 555 0155',
    area: 'Inside the ring road',
    hours: 'Every day, 7:00 to 22:00',
  },
  {
    slug: 'hood-installation-fresh-air',
    title: 'Hood installation with fresh air supply',
    price: 'Call for a quote',
    ratting: '4.7',
    description:
      'If the back door slams by itself or smoke rolls out from under the front edge, your hood is starving. We install hood and make-up air as one system: what leaves is measured, and the same amount comes back in, warmed, along the front of the canopy.\n\nPrice depends on the run to the outside wall, so we look first. The look is free and takes half an hour.',
    area: 'Inside the ring road',
  },
  {
    slug: 'gas-safety-check',
    title: 'Gas safety check and certificate',
    price: '$135',
    ratting: '4.9',
    description:
      'Every appliance, every hose, every valve: tightness test, burner pressure, flame picture, flame failure device, air supply, and the emergency valve turned by hand. You receive the certificate the same day, with a list of what must be done now, what can wait, and what is only untidy. A range I have to shut off is labelled and explained, never just locked.',
    lister: 'jonas',
    phone: '+1 555 0117',
    website: 'https://gas-checks.example.com/',
    area: 'Within 40 km of the city',
    hours: 'Weekdays, 8:00 to 17:00',
    licence: 'Gas safety inspector 0093',
    insured: 'yes',
  },
  {
    slug: 'cold-room-installation',
    title: 'Cold room installation, panel built',
    price: 'from $5,600',
    ratting: '4.7',
    description:
      'Walk-in rooms from 4 to 30 cubic metres, built from panels that come through a normal door. Level floor first: we shim and check it before the first panel stands, since every door problem starts there. The unit is sized for your warmest delivery day, not for the brochure.\n\nTwo days of building, one night to pull down, and a morning in which we show your people the alarm and the inside release.',
    area: 'Old town and harbour',
  },
  {
    slug: 'duct-cleaning-hood-to-roof',
    title: 'Duct cleaning from hood to roof',
    price: '$480',
    ratting: '4.8',
    description:
      'The whole way the grease goes: hood, filters, riser, elbows, fan and the roof around the outlet. Brushed from the top, scraped by hand at the elbows and collected below, so nothing ends in your range. We take photos at each panel and measure the film at six points.\n\nUp to 12 metres of duct and four panels are in the price. If we find a stretch we cannot reach, we say where it is and leave it off the certificate.',
    lister: 'hassan',
    phone: '+1 555 0108',
    website: 'https://ducts.example.com/night-shift',
    area: 'Inside the ring road',
    hours: 'Nights, 22:00 to 6:00',
    insured: 'yes',
  },
  {
    slug: 'air-conditioning-installation',
    title: 'Air conditioning installation, wall unit',
    price: 'from $780',
    ratting: '4.6',
    description:
      'One indoor unit, one outdoor unit, up to five metres of pipe, wall brackets, drain with real fall, vacuum and commissioning. We ask where your hot spots are and where people stand before choosing the wall, because cold air in a cook’s neck helps nobody. Holes are drilled with a vacuum on the bit and sealed the same day.',
    lister: 'amira',
    phone: '+1 555 0163',
    website: 'https://cool-kitchens.example.com/',
    area: 'City and suburbs',
    hours: 'Monday to Saturday, 7:00 to 19:00',
    licence: 'Refrigerant handling, certificate 1188',
    insured: 'yes',
  },
  {
    slug: 'hood-repair-filters',
    title: 'Hood repair: baffle filters and frames',
    price: '',
    ratting: '4.5',
    description:
      'Filters that fall out, sit crooked or whistle are usually the wrong size by a few millimetres, or the frame is bent from years of being hit with a pan. I straighten the frame, fit new clips and bring filters in steel, never aluminium over a fryer. Old ones go with me. Send a photo with a tape measure in it and you have a price within the day.',
    lister: 'jonas',
    phone: '+1 555 0117',
    area: 'Within 40 km of the city',
    insured: 'no',
  },
  {
    slug: 'hood-installation-wall-canopy',
    title: 'Hood installation: wall canopy over the range',
    price: 'from $1,200',
    ratting: '4.8',
    description:
      'The usual hood, done properly: canopy, duct through the wall or up to the roof, fan, lamps and filters, hung level and anchored to something that carries it. We measure the face speed at five points when it runs and write the figures into your folder.\n\nCutting and closing the wall is included, painting is not. Most kitchens are out of use for one day.',
    lister: 'eleni',
    phone: '+1 555 0142',
    website: 'https://canopies.example.com/',
    area: 'Old town and harbour',
  },
];
