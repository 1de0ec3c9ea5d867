/** A small set for posts, by what it is about: each with the words by which it is found. */
export const emojiGroups: readonly { name: string; emoji: readonly (readonly [sign: string, words: string])[] }[] = [
  {
    name: 'Faces',
    emoji: [['😀', 'grinning happy'], ['😄', 'smile happy'], ['😁', 'beaming'], ['😂', 'tears joy laugh'], ['🤣', 'rolling laugh'], ['😊', 'blush smile'], ['😇', 'angel halo'], ['🙂', 'slight smile'], ['😉', 'wink'], ['😍', 'heart eyes love'], ['🥰', 'hearts love'], ['😘', 'kiss'], ['😋', 'yum tasty'], ['😎', 'cool sunglasses'], ['🤩', 'star eyes wow'], ['🥳', 'party celebrate'], ['🤔', 'thinking'], ['🤗', 'hug'], ['🤫', 'quiet secret'], ['😴', 'sleep'], ['😮', 'surprised wow'], ['😢', 'sad cry'], ['😭', 'sob cry'], ['😅', 'sweat relief'], ['🙃', 'upside down'], ['🤯', 'mind blown'], ['😱', 'scream shock'], ['🫠', 'melting']],
  },
  {
    name: 'People and hands',
    emoji: [['👍', 'thumbs up yes like'], ['👎', 'thumbs down no'], ['👏', 'clap applause'], ['🙌', 'raised hands hooray'], ['🙏', 'thanks please pray'], ['🤝', 'handshake deal'], ['💪', 'strong muscle'], ['👋', 'wave hello bye'], ['✌️', 'peace victory'], ['🤞', 'fingers crossed luck'], ['👌', 'ok perfect'], ['🫶', 'heart hands love'], ['👉', 'point right'], ['👇', 'point down below'], ['☝️', 'point up one'], ['✍️', 'write'], ['👀', 'eyes look'], ['🧑‍💻', 'laptop work'], ['🧑‍🍳', 'cook chef'], ['🏃', 'run']],
  },
  {
    name: 'Hearts and signs',
    emoji: [['❤️', 'heart red love'], ['🧡', 'heart orange'], ['💛', 'heart yellow'], ['💚', 'heart green'], ['💙', 'heart blue'], ['💜', 'heart purple'], ['🖤', 'heart black'], ['🤍', 'heart white'], ['💯', 'hundred perfect'], ['✅', 'check done yes'], ['❌', 'cross no wrong'], ['❗', 'exclamation important'], ['❓', 'question'], ['⭐', 'star'], ['✨', 'sparkles new'], ['🔥', 'fire hot'], ['💥', 'boom'], ['⚡', 'lightning fast'], ['💡', 'idea light'], ['🔔', 'bell reminder'], ['📌', 'pin'], ['🔗', 'link'], ['➡️', 'arrow right'], ['⬇️', 'arrow down'], ['🆕', 'new'], ['🔝', 'top']],
  },
  {
    name: 'Work and things',
    emoji: [['🚀', 'rocket launch'], ['📣', 'megaphone announce'], ['📢', 'loudspeaker announce'], ['📅', 'calendar date'], ['⏰', 'alarm time'], ['⏳', 'hourglass wait'], ['📈', 'chart up growth'], ['📊', 'bar chart'], ['📝', 'memo note'], ['📷', 'camera photo'], ['🎥', 'film video'], ['🎧', 'headphones music'], ['🎙️', 'microphone podcast'], ['💻', 'laptop'], ['📱', 'phone'], ['📚', 'books read'], ['🎓', 'graduate learn'], ['🏆', 'trophy win'], ['🥇', 'medal first'], ['🎯', 'target goal'], ['🎁', 'gift present'], ['🛒', 'cart shop'], ['💰', 'money'], ['🏷️', 'price tag label'], ['📦', 'package delivery'], ['🔑', 'key'], ['🛠️', 'tools build'], ['🎨', 'art paint']],
  },
  {
    name: 'Celebration, food, nature',
    emoji: [['🎉', 'party tada celebrate'], ['🎊', 'confetti'], ['🎂', 'cake birthday'], ['🥂', 'cheers toast'], ['🍾', 'champagne'], ['☕', 'coffee'], ['🍵', 'tea'], ['🍕', 'pizza'], ['🍔', 'burger'], ['🥗', 'salad'], ['🍰', 'cake slice'], ['🍫', 'chocolate'], ['🍎', 'apple'], ['🍓', 'strawberry'], ['🌱', 'plant seedling green'], ['🌳', 'tree'], ['🌸', 'blossom flower'], ['🌹', 'rose'], ['🌻', 'sunflower'], ['🍂', 'autumn leaves'], ['❄️', 'snow winter'], ['☀️', 'sun'], ['🌈', 'rainbow'], ['🌍', 'earth world'], ['🌙', 'moon night'], ['🐶', 'dog'], ['🐱', 'cat'], ['🐦', 'bird']],
  },
]
