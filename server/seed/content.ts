import { because } from '#contract/failures/catalog.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { failureOf } from '../delivery/failures.ts'
import type { z } from 'zod'
import type { LabelColor as Colors } from '#contract/labels.ts'

type LabelColor = z.infer<typeof Colors>

/** The demo organization: a coffee roaster with a few shops. */

export const demoPerson = {
  email: 'demo@rookery.example',
  password: 'Rookery-2026',
  firstName: 'Mira',
  lastName: 'Lindqvist',
} as const

export const colleagues = [
  { email: 'ana@rookery.example', firstName: 'Ana', lastName: 'Duarte', role: 'editor' },
  { email: 'jonas@rookery.example', firstName: 'Jonas', lastName: 'Weber', role: 'user' },
  { email: 'leila@rookery.example', firstName: 'Leila', lastName: 'Haddad', role: 'admin' },
] as const

/** Its accounts' name on platforms other than Bluesky. */
export const brand = 'Northlight Coffee'

/** Platforms with an account for each shop besides the brand's, and those accounts: the last one on Facebook was lost. */
export const shopPlatforms: readonly PlatformKey[] = ['facebook', 'instagram', 'linkedin']
export const shops = [
  { name: 'Northlight Berlin', handle: 'northlightberlin' },
  { name: 'Northlight Hamburg', handle: 'northlighthamburg' },
] as const

export const projects = [
  {
    name: 'Retail',
    zone: 'Europe/Berlin',
    // an account of every platform
    everywhere: true,
    channels: [
      { name: 'Northlight Coffee', handle: 'northlight.sim.test' },
      { name: 'Northlight Berlin', handle: 'berlin.northlight.sim.test' },
      { name: 'Northlight Hamburg', handle: 'hamburg.northlight.sim.test' },
      { name: 'Brew Notes', handle: 'brewnotes.sim.test' },
    ],
  },
  {
    name: 'Roastery',
    zone: 'America/New_York',
    everywhere: false,
    channels: [
      { name: 'Northlight Roastery', handle: 'roastery.northlight.sim.test' },
      { name: 'Barista School', handle: 'school.northlight.sim.test' },
    ],
  },
] as const

export const texts = [
  'The winter roast is back: cocoa, dried fig, a little smoke. In the shop from Friday, online from eight. #winterroast',
  'Meet our growers in Huila. Doña Carmen has farmed the same slope for forty years, and this year she let us taste the honey process first.',
  'Latte art, slowly. Ana shows the tulip in five pours, no cuts. Come and try on Thursday after closing.',
  'Opening hours this week: 7:30 to 18:00, Saturday from 9:00, Sunday closed. The terrace stays open while the sun does.',
  'How we cup on Mondays: eight bowls, four spoons, no talking for ten minutes. Then everybody talks at once.',
  'New on the bar: oat cortado with a pinch of cardamom. Two sips longer than an espresso.',
  'Behind the bar with Jonas, who can name a roast by its crack. We tested him. Twice.',
  'Gift boxes ship early this year. Order by the 12th and they arrive before the holidays: https://northlight.example/gifts',
  'Brew guide: V60 in three steps. 18 g coffee, 300 g water at 94 °C, three minutes. The rest is patience.',
  'Thank you, Neukölln. One year, 41,000 cups, one flooded cellar and no regrets.',
  'A quiet corner for you: the back room has tables without laptops from today. Bring a book, or a friend.',
  'Weekend tasting at noon: three naturals, one surprise. Free, but seats are few. Reply to keep one.',
  'We changed our milk. Same farm, shorter way: it now comes by bicycle from Brandenburg twice a week.',
  'Grinder day! If your filter coffee tastes hollow, bring 50 g of beans and we will find the setting together.',
  'Our cups come back. Deposit 2 €, returned anywhere in the city. 9,300 paper cups saved since spring.',
  'What does "washed" mean, and why should you care? A short thread of answers from the roastery floor.',
  'The kettle question, settled: gooseneck for filter, anything for French press. Save your money for beans.',
  'We are hiring a barista for Hamburg. Four days, fair pay, and you choose the music on Tuesdays. https://northlight.example/jobs',
  'Roasting tonight: 60 kg of Guji. Walk past at seven and follow your nose.',
  'Decaf deserves better. Ours is sugarcane processed in Colombia and tastes of caramel and orange. #decaf',
  'Someone left a beautiful green umbrella at the bar. It misses you.',
  'Espresso for two: the lever machine is back from service, and it pulls like it is 1961.',
  'Our school opens for spring: six evenings, eight seats, one cupping spoon that is yours to keep.',
  'Honest numbers: this is what the farmer, the mill, the ship and we get from one bag of coffee.',
  'Cinnamon buns until they are gone. They are usually gone by eleven.',
  'Cold brew, hot take: sixteen hours is enough. Twenty makes it bitter, not strong.',
  'Three playlists, one rule: no saxophone before nine.',
  'Water is 98% of your cup. We measured ours so you do not have to: 110 ppm, pH 7.1.',
  'Rain in the forecast, so we put the soup on. Lentil, lemon, too much parsley.',
  'Barista jam on Saturday with @brewnotes.sim.test: bring your weirdest milk.',
] as const

/** What the videos are about that were published elsewhere. */
export const videoTexts = [
  'From cherry to cup: a week at the washing station in Huila',
  'Three pours, three mistakes, and how to stop making them',
  'We taste a roast on the day it is too fresh, and a week later',
  'Cleaning the lever machine, start to finish',
  'A tour of the roastery before the doors open',
  'Flat white against cortado: what is in the glass',
  'Our barista answers your questions about milk',
  'What the first crack sounds like',
] as const

export const draftTexts = [
  'Spring menu teaser: rhubarb tonic, maybe? Ask Leila about the photo.',
  'Interview with Doña Carmen, part two. Waiting for the translation.',
  'Roastery open house on the 14th. Need the address of the car park and',
  'Thank-you post for the volunteers of the street festival',
  'Poll: which single origin should stay?',
  'Draft for the anniversary: numbers to be checked.',
  'New cups! Photo shoot is on Tuesday.',
] as const

export const altTexts = [
  'A cup on a window sill, morning light, frost on the glass',
  'Hands pouring milk into an espresso, a tulip forming',
  'Sacks of green coffee stacked against a brick wall',
  'The bar from above: four cups, two portafilters, one cloth',
] as const

/** How posts failed, on the platform with this name. */
export const failuresAt = (platform: string): PostFailure[] => [
  failureOf('reconnect', { ...because('sign-in-refused', { platform }), platformCode: 'ExpiredToken' }),
  failureOf('permanent', { ...because('files-not-finished', { platform }), platformCode: 'InvalidMimeType' }),
  failureOf('late', because('too-late', { minutes: 60, because: because('not-running'), fix: 'nothing' })),
]

export const labels = [
  { name: 'Origins', color: 'green' },
  { name: 'Brewing tips', color: 'blue' },
  { name: 'Behind the counter', color: 'orange' },
  { name: 'Events', color: 'purple' },
  { name: 'Offers', color: 'red' },
  { name: 'Summer menu', color: 'yellow', archived: true },
] as const satisfies readonly { name: string; color: LabelColor; archived?: boolean }[]

/** `from` and `to` in days from today. */
export const campaigns = [
  {
    name: 'Winter roast',
    description: 'The dark roast from Huila, from its arrival to the tasting evening.',
    color: 'dark-blue',
    from: -24,
    to: 30,
  },
  {
    name: 'First winter roast',
    description: 'The first dark roast from Huila. Sold out in five weeks.',
    color: 'blue',
    from: -24 - 365,
    to: 20 - 365,
    completed: true,
  },
  {
    name: 'Gift boxes',
    description: 'Three boxes, ordered until a week before the holidays.',
    color: 'pink',
    from: 1,
    to: 40,
  },
  {
    name: 'Harvest visit',
    description: 'Letters from the farms.',
    color: 'green',
    from: -60,
    to: -10,
    completed: true,
  },
  { name: 'Opening weeks', description: '', color: 'orange', from: -60, to: -35, archived: true },
] as const satisfies readonly {
  name: string
  description: string
  color: LabelColor
  from: number
  to: number
  completed?: true
  archived?: true
}[]

export const hashtagGroups = [
  { name: 'Coffee, everywhere', hashTags: ['coffee', 'specialtycoffee', 'coffeelovers', 'filtercoffee'] },
  { name: 'Brewing', hashTags: ['pourover', 'v60', 'aeropress', 'homebarista'] },
] as const

export const notes = [
  { text: 'Is the tasting on Thursday or on Friday? The poster says Friday.', reply: 'Friday. I changed the text.' },
  { text: 'Could we use the picture with the window instead?', reply: null },
  { text: 'The farm asked us to name the washing station too.', reply: 'Added.' },
] as const
