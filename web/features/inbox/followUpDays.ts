import { addDays, dayText, shortWeekday, weekday, type Day } from '#web/lib/dates.ts'

const MONDAY = 1

/** Days that people choose most, each with the day it stands for. Those that fall on the same day are named once. */
export function followUpDays(today: Day): { name: string; day: Day; text: string }[] {
  const toMonday = (MONDAY - weekday(today) + 7) % 7 || 7
  const all = [
    { name: 'Tomorrow', day: addDays(today, 1) },
    { name: 'In 3 days', day: addDays(today, 3) },
    { name: 'Next Monday', day: addDays(today, toMonday) },
    { name: 'In 2 weeks', day: addDays(today, 14) },
  ]
  return all
    .filter(({ day }, place) => all.findIndex((one) => one.day === day) === place)
    .map((one) => ({ ...one, text: `${shortWeekday(one.day)} ${dayText(one.day).slice(0, -5)}` }))
}
