/** Causes and advice, requests to people, and other days than those of the range: figures say nothing about them. */
const beyond = [
  /\b(?:because|due|thanks|caused?|causes|causing|driven|owing|reasons?|therefore|hence|so that|led to|leads to|thereby)\b/iu,
  /\b(?:recommend\w*|suggest\w*|consider\w*|try|please|must|need(?:s|ed)?|click(?: here)?|visit|passwords?|log ?in|sign ?in|contact|call|email|send|pay|buy|download|administrator|support)\b/iu,
  /\b(?:yesterday|today|tomorrow|tonight|daily|weekly|monthly|yearly|weeks?|months?|years?|hours?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|spring|summer|autumn|winter)\b/iu,
]

/** Whether a sentence speaks of what no figure tells. */
export const isBeyondFigures = (text: string): boolean => beyond.some((words) => words.test(text))
