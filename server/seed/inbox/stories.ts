import type { ConversationKind, ConversationStatus, Sentiment } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/*
 * What people write to the demo organization, by hand: one story is one conversation. The rest of its inbox is small talk
 * (chatter.ts).
 */

type LineOptions = {
  /** Minutes after the line before. */ after?: number
  /** Alt text of a picture that comes with it. */ picture?: string
  /** It was changed to this afterwards. */ edited?: string
  deleted?: true
  hidden?: true
  /** Held for review: hidden until someone approves it. */
  held?: true
}
/** `from`: who else joins in; absent: who began. */
export type Line = LineOptions & { text: string } & (
    | { by: 'them'; from?: string }
    | { by: 'team'; who: number }
    | { by: 'app' }
  )

export type Story = {
  on: PlatformKey
  kind: ConversationKind
  /** How long ago it began. */ hours: number
  name: string
  lines: readonly Line[]
  /** Where someone left it; OPEN unless said. */
  status?: Exclude<ConversationStatus, 'OPEN'>
  /** Days from today, of FOLLOWUP. */ inDays?: number
  /** A place among the people of the project: the owner first. */ assignee?: number
  labels?: readonly string[]
  note?: { text: string; by: number; reply?: string }
  /** What a person said of it; else it is judged by its words. */ judged?: Sentiment
  rating?: number
  /** A video or post of ours that the seed has no post for. */ about?: string
  unread?: true
}

const them = (text: string, options: LineOptions & { from?: string } = {}): Line => ({ by: 'them', text, ...options })
/** A teammate answers from here. */
const team = (who: number, text: string, options: LineOptions = {}): Line => ({ by: 'team', who, text, ...options })
/** Someone answers on the platform itself. */
const app = (text: string, options: LineOptions = {}): Line => ({ by: 'app', text, ...options })

export const stories: readonly Story[] = [
  {
    on: 'instagram',
    kind: 'message',
    hours: 0.4,
    name: 'Maya Okafor',
    unread: true,
    lines: [
      them('Hi! My gift box arrived today and one of the bags is torn 😕'),
      them('This is how it looked when I opened it', {
        after: 1,
        picture: 'A torn coffee bag in a gift box, beans spilled over the tissue paper',
      }),
      them('It’s for my dad’s birthday on Saturday. Can you send a new one in time?', { after: 2 }),
    ],
    labels: ['Offers'],
  },
  {
    on: 'facebook',
    kind: 'message',
    hours: 26,
    name: 'Henrik Sørensen',
    lines: [
      them('Good morning, do you rent out the back room? We are twelve people, a Thursday evening in December.'),
      team(1, 'Good morning Henrik, yes, we do! The room seats fourteen. Which Thursday did you have in mind?', {
        after: 22,
      }),
      them('The 10th, from 18:30 to about 22:00. Some of us don’t drink coffee, is that a crime?', { after: 41 }),
      team(1, 'Only before noon. The 10th is free, I’ve put your name on it. Shall I send you the menu?', {
        after: 12,
      }),
      them('Please do! And do you have something for vegans?', { after: 600 }),
    ],
    assignee: 1,
    labels: ['Events'],
    note: { text: 'Leila, can we do the lentil menu for twelve?', by: 1, reply: 'Yes, if they tell us by the 3rd.' },
    unread: true,
  },
  {
    on: 'instagram',
    kind: 'comment',
    hours: 2.2,
    name: 'Priya Raman',
    lines: [
      them('Is the oat cortado made with barista oat milk or the normal one? Asking for my allergy 🌾'),
      them('same question here', { from: 'Lukas Brandt', after: 14 }),
      them('They use the gluten-free one, I asked last week', { from: 'Sofia Marchetti', after: 9 }),
    ],
    unread: true,
  },
  {
    on: 'googlemybusiness',
    kind: 'review',
    hours: 5,
    name: 'Thomas Albrecht',
    rating: 2,
    lines: [
      them(
        'Coffee is excellent, no question. But I waited 25 minutes for a filter on Sunday and nobody said a word. When I asked, the answer was a shrug. Two stars for the shrug.',
      ),
    ],
    assignee: 3,
    labels: ['Behind the counter'],
    note: { text: 'Sunday was the day with only two people behind the bar. I’d apologize and invite him.', by: 3 },
    unread: true,
  },
  {
    on: 'googlemybusiness',
    kind: 'review',
    hours: 52,
    name: 'Camille Fournier',
    rating: 5,
    lines: [
      them('Le meilleur flat white de Berlin, et l’équipe prend le temps d’expliquer. Je reviendrai !'),
      team(0, 'Merci beaucoup, Camille ! À très vite au comptoir.', { after: 190 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'googlemybusiness',
    kind: 'review',
    hours: 130,
    name: 'Greta Holm',
    rating: 4,
    lines: [
      them('Lovely place, a bit loud in the afternoon. The cinnamon buns deserve their reputation.', {
        edited:
          'Lovely place, a bit loud in the afternoon. The cinnamon buns deserve their reputation. Update: there are seats without laptops now, much better!',
        after: 0,
      }),
      team(1, 'Thank you, Greta! The quiet corner was overdue. A bun is waiting for you.', { after: 75 }),
    ],
    status: 'CLOSED',
  },
  { on: 'googlemybusiness', kind: 'review', hours: 31, name: 'M. K.', rating: 1, lines: [them('')] },
  {
    on: 'googlemybusiness',
    kind: 'review',
    hours: 300,
    name: 'Ingrid Nyström',
    rating: 3,
    lines: [
      them('Good beans, but the card reader was down and the next cash machine is ten minutes away.'),
      team(3, 'Sorry about that, Ingrid. There’s a second reader now, so it won’t happen again.', { after: 900 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'bluesky',
    kind: 'comment',
    hours: 0.8,
    name: 'Nora Quill',
    lines: [
      them('Sixteen hours at room temperature or in the fridge? I’ve read both.'),
      team(2, 'Fridge, if you have the patience. At room temperature twelve hours are plenty.', { after: 11 }),
      them('Then twelve it is. Patience is for people with two fridges.', { after: 6 }),
    ],
    labels: ['Brewing tips'],
    assignee: 2,
    unread: true,
  },
  {
    on: 'bluesky',
    kind: 'mention',
    hours: 3.5,
    name: 'Field Notes Studio',
    lines: [
      them(
        'Spent the morning drawing the bar at @northlight. Nobody minded, someone brought water. Places like this still exist.',
        {
          picture: 'A pen drawing of a coffee bar: a lever machine, four cups, a barista from behind',
        },
      ),
    ],
    unread: true,
  },
  {
    on: 'bluesky',
    kind: 'message',
    hours: 20,
    name: 'Otis Lund',
    lines: [
      them('Hey, we’d love to have you at the harbor market in May. Is there someone I should write to?'),
      team(0, 'Hi Otis, that’s me. May sounds good! What do you need from us?', { after: 55 }),
      them('Power, two square meters and your winter roast. I’ll send the form on Monday.', { after: 30 }),
    ],
    status: 'FOLLOWUP',
    inDays: 3,
    assignee: 0,
    labels: ['Events'],
  },
  {
    on: 'bluesky',
    kind: 'comment',
    hours: 70,
    name: 'Aoi Tanaka',
    lines: [
      them('冬のローストは日本にも発送できますか？とても楽しみにしています。'),
      team(0, 'はい、発送できます！送料は 14 € です。Thank you for waiting so long.', { after: 240 }),
      them('ありがとうございます！さっそく注文しました。', { after: 400 }),
    ],
    status: 'CLOSED',
    labels: ['Origins'],
  },
  {
    on: 'mastodon',
    kind: 'comment',
    hours: 6,
    name: 'Harbour Books',
    lines: [
      them('We’d put a copy of “The World Atlas of Coffee” next to that picture. Swap for two bags?'),
      team(1, 'Deal. Walk over on Friday, the bags have your name on them.', { after: 33 }),
      them('Friday it is 📚', { after: 5 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'mastodon',
    kind: 'message',
    hours: 9,
    name: 'Yusuf Demir',
    lines: [
      them(
        'Hi, I ordered on the 2nd and my invoice shows the old address. Could you correct it before I hand it to my accountant?',
      ),
    ],
    assignee: 3,
    unread: true,
  },
  {
    on: 'mastodon',
    kind: 'mention',
    hours: 15,
    name: 'Café Kollektiv Hamburg',
    lines: [
      them('Frage in die Runde: Wer röstet in Berlin eigentlich noch selbst? @northlight, ihr doch, oder?'),
      team(2, 'Ja, dreimal die Woche, hinten im Hof. Kommt vorbei, wir zeigen euch die Trommel.', { after: 48 }),
      them('Das nehmen wir beim Wort. Wir sind zu viert.', { after: 130 }),
    ],
    labels: ['Behind the counter'],
    unread: true,
  },
  {
    on: 'facebook',
    kind: 'comment',
    hours: 1.3,
    name: 'Daniela Ruiz',
    lines: [
      them('¿La cata del fin de semana es también en español? Mi madre está de visita y le encantaría venir.'),
      them('Yes please, we’d be two as well', { from: 'Pablo Ortega', after: 25 }),
    ],
    labels: ['Events'],
    unread: true,
  },
  {
    on: 'facebook',
    kind: 'comment',
    hours: 29,
    name: 'Best Deals 4 You',
    lines: [
      them('🔥🔥 Earn 5000 € a week from home, ask me how!! 🔥🔥', { hidden: true }),
      them('Reported.', { from: 'Jana Kowalski', after: 18 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'facebook',
    kind: 'mention',
    hours: 44,
    name: 'Neukölln Street Festival',
    lines: [
      them(
        'Thank you to Northlight Coffee for 300 cups, three volunteers and one very loud grinder. See you next summer!',
        {
          picture: 'A coffee stall at a street festival, people queuing in the sun',
        },
      ),
      app('Thank YOU. The grinder says hello.', { after: 35 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'facebook',
    kind: 'message',
    hours: 3,
    name: 'Beatriz Almeida',
    lines: [
      them('Olá! Vocês enviam café para Portugal?'),
      team(1, 'Olá Beatriz! Sim, enviamos. Demora de três a cinco dias.', { after: 8 }),
      them('Que bom! E o descafeinado também?', { after: 4 }),
      team(1, 'Também. É o nosso favorito da tarde.', { after: 6 }),
      them('Encomendado. Obrigada!! ☕️', { after: 10 }),
    ],
    assignee: 1,
  },
  {
    on: 'instagram',
    kind: 'message',
    hours: 7,
    name: 'Kwame Mensah',
    lines: [
      them('Do you do wholesale? We’re opening a small place in Leipzig in March.'),
      team(0, 'Congratulations, Kwame! We do, from 10 kg a month. What machine will you have?', { after: 64 }),
      them('A used two-group lever, and a dream.', { after: 3 }),
      team(0, 'The right order. I’ll send you our list and a box of samples. What’s your address?', { after: 17 }),
      them('Sent by mail! Thank you so much 🙏', { after: 33 }),
      them('One more thing: could we come for a day of training?', { after: 95 }),
    ],
    assignee: 0,
    note: {
      text: 'Jonas, would you take the training? A Monday would be best.',
      by: 0,
      reply: 'Any Monday in February.',
    },
  },
  {
    on: 'instagram',
    kind: 'comment',
    hours: 12,
    name: 'Elif Kaya',
    lines: [
      them('That tulip 😍 how long until it looks like that?'),
      team(1, 'About four hundred sad ones. Come on Thursday, we start with number one.', { after: 40 }),
      them('Booked!', { after: 4 }),
      them('also booked, see you there', { from: 'Lukas Brandt', after: 55 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'instagram',
    kind: 'mention',
    hours: 18,
    name: 'Coffee & Crumbs',
    lines: [
      them('Saturday breakfast at @northlight: three buns, no regrets, one nap.', {
        picture: 'Three cinnamon buns on a blue plate, one of them half eaten',
      }),
    ],
    unread: true,
  },
  {
    on: 'instagram',
    kind: 'comment',
    hours: 40,
    name: 'Robert Klein',
    lines: [
      them('Used to be good, now it’s 4.20 for a flat white. Greedy.', { hidden: true }),
      them('You’ve seen the post with the honest numbers, right?', { from: 'Priya Raman', after: 20 }),
      them('No, which one?', { after: 15 }),
      team(
        3,
        'Hi Robert, it’s pinned on our profile: what the farmer, the mill, the ship and we get. Ask us anything.',
        {
          after: 66,
        },
      ),
    ],
    labels: ['Origins'],
    judged: 'negative',
    status: 'CLOSED',
  },
  {
    on: 'threads',
    kind: 'comment',
    hours: 4,
    name: 'Zoë van Dijk',
    lines: [
      them('Unpopular opinion: decaf after dinner is the best coffee of the day.'),
      them('Finally someone says it', { from: 'Marco Bellini', after: 7 }),
      team(2, 'We’ll print that on a bag.', { after: 12 }),
      them('I want royalties in beans', { after: 2 }),
      team(2, 'One bean a bag. Final offer.', { after: 9 }),
      them('Deal 🤝', { after: 1 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'threads',
    kind: 'mention',
    hours: 8,
    name: 'Marco Bellini',
    lines: [them('Who makes the best espresso north of the Alps? I say @northlight. Fight me.')],
    unread: true,
  },
  {
    on: 'threads',
    kind: 'comment',
    hours: 60,
    name: 'Theo Laurent',
    lines: [
      them('Is the green umbrella still there? I think it’s mine.', { deleted: true }),
      them('It’s mine. Forget what I wrote. It misses me too.', { after: 5 }),
      app('It’s behind the bar. It has made friends.', { after: 30 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'linkedin',
    kind: 'comment',
    hours: 10,
    name: 'Dr. Katharina Vogel',
    lines: [
      them(
        'Transparent prices are rare in this trade. Would you share how you calculate the share of the mill? I teach supply chains in Freiburg and would like to use it as an example.',
      ),
    ],
    assignee: 3,
    labels: ['Origins'],
    unread: true,
  },
  {
    on: 'linkedin',
    kind: 'mention',
    hours: 33,
    name: 'Samuel Adeyemi',
    lines: [
      them('Proud to start as Head of Quality at Northlight Coffee next month. First task: eight bowls, four spoons.'),
      team(3, 'Welcome, Samuel! The spoons are ready.', { after: 58 }),
      them('See you on the 1st!', { after: 24 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'linkedin',
    kind: 'comment',
    hours: 20,
    name: 'Annika Berg',
    lines: [
      them('Is the position in Hamburg still open? I’ve sent my application through the form.'),
      team(3, 'Hi Annika, it is, and we have yours. You’ll hear from us by Friday.', { after: 120 }),
    ],
    status: 'FOLLOWUP',
    inDays: 2,
    assignee: 3,
  },
  {
    on: 'x',
    kind: 'mention',
    hours: 2.7,
    name: 'Ben Whitaker',
    lines: [
      them(
        '@northlight your website takes my order and then says “cart is empty”. Third time today. Firefox, if it helps.',
      ),
    ],
    unread: true,
  },
  {
    on: 'x',
    kind: 'comment',
    hours: 16,
    name: 'Lena Fischer',
    lines: [
      them('110 ppm is lovely, mine is 340. Is there a filter that you’d recommend?'),
      team(2, 'For 340: a jug with ion exchange, changed every three weeks. Your kettle will thank you.', {
        after: 25,
      }),
      them('Ordered one. My kettle looks like a cave.', { after: 44 }),
    ],
    labels: ['Brewing tips'],
    status: 'CLOSED',
  },
  {
    on: 'x',
    kind: 'message',
    hours: 9,
    name: 'Priya Raman',
    lines: [
      them('Hi, order NC-20417 arrived with decaf instead of the Sidamo. Can you swap it?'),
      team(1, 'Hi Priya, sorry about that! The Sidamo leaves here today. Keep the decaf, or give it to a neighbor.', {
        after: 17,
      }),
      them('The neighbor says thank you.', { after: 31 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'facebook',
    kind: 'message',
    hours: 22,
    name: 'Radio Spree',
    lines: [
      them(
        'Hello, we’re preparing a piece about coffee prices and would like to interview the owner on Tuesday. Ten minutes, by phone.',
      ),
      team(1, 'Hello! I’m passing this on to Mira, she’ll get back to you today.', { after: 18 }),
    ],
    assignee: 0,
    note: { text: 'Mira, this one is for you. Tuesday before eleven would work.', by: 1 },
    status: 'FOLLOWUP',
    inDays: 1,
  },
  {
    on: 'youtube',
    kind: 'comment',
    hours: 11,
    name: 'HomeBarista Joe',
    about: 'Latte art, slowly: the tulip in five pours',
    lines: [
      them('At 2:14 you tilt the cup back before the last pour. Why? Everything I’ve seen says after.'),
      them('I think it’s the angle of the camera', { from: 'Mina Park', after: 90 }),
    ],
    labels: ['Brewing tips'],
    unread: true,
  },
  {
    on: 'youtube',
    kind: 'comment',
    hours: 90,
    name: 'ليلى منصور',
    about: 'Brew guide: V60 in three steps',
    lines: [
      them('شكرًا على الشرح الواضح! هل تنصحون بنفس الطحنة للقهوة الإثيوبية؟'),
      team(3, 'أهلًا ليلى! نعم، لكن أنعم قليلًا.', { after: 300 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'youtube',
    kind: 'comment',
    hours: 140,
    name: 'crypto_gains_24',
    about: 'How we cup on Mondays',
    lines: [them('Contact Mrs. Linda on WhatsApp, she changed my life +1 555 0100', { hidden: true })],
    status: 'CLOSED',
  },
  {
    on: 'youtube',
    kind: 'comment',
    hours: 6,
    name: 'Ingrid Solheim',
    about: 'Latte art, slowly: the tulip in five pours',
    lines: [them('I timed it against yours: www.cuptimer.example/tulip. Mine takes twice as long!', { held: true })],
    unread: true,
  },
  {
    on: 'instagram',
    kind: 'message',
    hours: 75,
    name: 'Sofia Marchetti',
    lines: [
      them('Ciao! I left my scarf at the table by the window, a red one with white dots.'),
      team(1, 'Ciao Sofia, we found it! It’s in the drawer under the till.', { after: 26 }),
      them('Grazie mille! I’ll come tomorrow.', { after: 8 }),
      them('Is someone there at seven?', { after: 1100 }),
      team(2, 'From 7:30. Ask for Jonas.', { after: 14 }),
      them('Perfetto', { after: 3 }),
      them('Got it. And a bun. It was a trap.', { after: 90 }),
      team(2, 'It always is.', { after: 4 }),
    ],
    status: 'CLOSED',
  },
  {
    on: 'facebook',
    kind: 'message',
    hours: 205,
    name: 'Wanda Zielińska',
    lines: [
      them('My subscription was charged twice this month, on the 1st and on the 3rd. Order 20418.', { after: 0 }),
      them('Hello?', { after: 300 }),
      team(
        3,
        'I’m sorry, Wanda. The second charge was ours to avoid: it’s refunded and should arrive within three days.',
        {
          after: 45,
        },
      ),
      them('It arrived. Thank you for being quick, after a slow start.', { after: 3000 }),
      team(3, 'Fair. We’ve added a bag to your next box.', { after: 70 }),
    ],
    status: 'CLOSED',
  },
]

/** How long a thread can become: a tasting that half of the city has questions about, on the first Bluesky channel. */
export const longThread: Omit<Story, 'lines'> & {
  asked: readonly (readonly [name: string, text: string])[]
  answers: readonly string[]
} = {
  on: 'bluesky',
  kind: 'comment',
  hours: 30,
  name: 'Ida Johansson',
  assignee: 2,
  labels: ['Events'],
  asked: [
    ['Ida Johansson', 'Two seats for the tasting, please! Is it outdoors?'],
    ['Nora Quill', 'One for me. Is there decaf?'],
    ['Otis Lund', 'What’s the surprise?'],
    ['Ida Johansson', 'Can I bring my dog? He prefers naturals.'],
    ['Mats Eriksson', 'Is noon noon, or is noon half past?'],
    ['Harbour Books', 'Three seats, one of them for a very quiet person.'],
    ['Nora Quill', 'Will there be something to eat with it?'],
    ['Mats Eriksson', 'And where do I leave a cargo bike?'],
    ['Fatou Diallo', 'I’m coming from Potsdam, please don’t start without me.'],
    ['Otis Lund', 'It’s the Guji, isn’t it? The surprise.'],
    ['Fatou Diallo', 'Train is 10 minutes late 😬'],
    ['Ida Johansson', 'The dog has been told to behave.'],
    ['Kenji Mori', 'Is there a list for next time? I’m away this weekend.'],
    ['Nora Quill', 'That natural from Huila was the best thing I drank this year.'],
    ['Mats Eriksson', 'Noon was noon. I was impressed. And late.'],
  ],
  answers: [
    'Noted! Inside, by the big window.',
    'There is, and a good one.',
    'It wouldn’t be one.',
    'Dogs are welcome, opinions too.',
    'Noon is noon. We’re roasters, not poets.',
    'Your seats are kept.',
    'Bread, butter, one very good cheese.',
    'In the yard, there’s a ring in the wall.',
    'We’ll wait for you.',
    'No comment.',
    'No stress, the kettle waits too.',
    'We’ve put out a bowl.',
    'You’re on it.',
  ],
}

export const cannedResponses = [
  {
    name: 'Thank you',
    text: 'Thank you so much, {{name|there}}! It means a lot to the whole team. {{agent}}',
    by: 0,
    used: 48,
  },
  {
    name: 'Opening hours',
    text: 'Hi {{name|there}}, we’re open from 7:30 to 18:00, on Saturdays from 9:00. On Sundays we rest.',
    by: 1,
    used: 31,
  },
  {
    name: 'Shipping abroad',
    text: 'We ship to all of Europe within three to five days, and to the rest of the world within two weeks: https://northlight.example/shipping',
    by: 1,
    used: 17,
  },
  {
    name: 'Something went wrong',
    text: 'We’re sorry, {{name|there}}. That’s not how it should be. Please send us your order number in a direct message, and we’ll make it right today. {{agent|Your Northlight team}}',
    by: 3,
    used: 9,
  },
  {
    name: 'Wholesale',
    text: 'Thanks for asking! We deliver from 10 kg a month. Our list and samples: https://northlight.example/wholesale',
    by: 0,
    used: 4,
  },
] as const
