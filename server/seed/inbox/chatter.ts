/** Small talk under posts of the last weeks: what people write, and how the team answers it, if at all. */
export const chatter: readonly { text: string; answer?: string }[] = [
  { text: 'Love this!', answer: 'And we love that you do.' },
  { text: 'Is this available online too?', answer: 'Yes, since this morning. The link is in our profile.' },
  {
    text: 'Best coffee in town, hands down.',
    answer: 'Thank you! Come by for a second opinion.',
  },
  { text: 'What grind size would you use for a moka pot?', answer: 'A bit finer than filter, coarser than espresso.' },
  { text: '😍😍😍' },
  { text: 'Do you have gluten-free cake?', answer: 'Every day: almond and orange.' },
  { text: 'Seht ihr, ich hab’s euch gesagt: Zimtschnecken um elf.' },
  { text: 'How long does shipping to Austria take?', answer: 'Two to three days, usually two.' },
  { text: 'Wait, you have a school?', answer: 'Six evenings every spring. Eight seats.' },
  { text: 'The playlist yesterday was a crime.', answer: 'We’ll tell Jonas. He’ll be proud.' },
  { text: 'Can I return cups in Hamburg too?', answer: 'In both shops, any day.' },
  { text: 'Merci pour l’accueil samedi !', answer: 'Merci à vous ! À bientôt.' },
  {
    text: 'Queue was out the door again, gave up.',
    answer: 'Sorry! Before nine and after three it’s calm.',
  },
  { text: 'Which beans are in the picture?', answer: 'Guji, natural, roasted on Tuesday.' },
  { text: 'Is the terrace open when it’s cold?', answer: 'With blankets, yes.' },
  { text: 'First!' },
  { text: 'Finalmente un buon decaffeinato.', answer: 'Grazie!' },
  { text: 'Any plans for Munich?', answer: 'Not yet. We’d miss the rain.' },
  { text: 'My cat approves.', answer: 'Please send a picture of the cat.' },
  { text: 'Do you still have the blue cups?', answer: 'Four left, in Neukölln.' },
  { text: 'Thanks for the quick help yesterday!', answer: 'Any time.' },
  {
    text: 'The wifi never works in the back.',
    answer: 'That’s the quiet corner doing its job. Try the front!',
  },
  { text: 'Could you post the recipe?', answer: 'It’s in the brew guide, step by step.' },
  { text: 'Is it true that you roast at night?', answer: 'On Wednesdays, until nine.' },
]

/** Who writes it. */
export const regulars = [
  'Nora Quill',
  'Otis Lund',
  'Priya Raman',
  'Lukas Brandt',
  'Jana Kowalski',
  'Mats Eriksson',
  'Fatou Diallo',
  'Elif Kaya',
  'Kenji Mori',
  'Clara Neumann',
  'Diego Santos',
  'Hanna Lehto',
  'Ruth Cohen',
  'Amir Rahimi',
  'Bea Novak',
  'Finn O’Connor',
] as const

/** On each Bluesky channel beside the first, and in the second project. */
export const roasteryTalk = [
  {
    name: 'Ingo Petersen',
    text: 'Could we visit the roastery with a school class? 22 children, all of them loud.',
    open: true,
  },
  { name: 'Laila Haddad', text: 'Do you sell green beans as well? I roast at home in a popcorn machine.', open: true },
  {
    name: 'Brewers Guild',
    text: 'Your talk on water is what everybody still speaks about. Would you give it again in June?',
    open: true,
  },
  { name: 'Petra Hahn', text: 'The drum sounds different lately. New bearings?', open: false },
] as const
