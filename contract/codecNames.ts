/** What people call a codec; keys are as files' facts name them (server/media/codecs.ts). */
const names: Readonly<Record<string, string>> = {
  avc: 'H.264',
  hevc: 'H.265 (HEVC)',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  prores: 'ProRes',
  mp4v: 'MPEG-4 Part 2',
  jpeg: 'Motion JPEG',
  mjpa: 'Motion JPEG',
  mjpb: 'Motion JPEG',
  s263: 'H.263',
  h263: 'H.263',
  avdn: 'DNxHD',
  avdh: 'DNxHR',
  cfhd: 'CineForm',
  dvh1: 'Dolby Vision',
  dvhe: 'Dolby Vision',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  alac: 'ALAC',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  dts: 'DTS',
  samr: 'AMR',
  sawb: 'AMR',
}

/** What people call a codec, such as "H.264"; its own name if that isn't known. */
export const codecName = (codec: string): string => names[codec] ?? (codec.startsWith('pcm-') ? 'PCM' : codec)
