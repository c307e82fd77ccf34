// Schedules in five fields (minute hour day month weekday, UTC): which texts are valid, and which minutes they name.

import { parseCronItems } from 'graphile-worker'

/** Whether the minute that a moment lies in is named by the schedule. Throws for a text that is none. */
export function dueBy(schedule: string): (at: Date) => boolean {
  const [item] = parseCronItems([{ task: 'any', match: schedule, identifier: 'any' }])
  if (!item) throw new Error(`No schedule: ${schedule}`)
  return (at) =>
    item.match({
      min: at.getUTCMinutes(),
      hour: at.getUTCHours(),
      date: at.getUTCDate(),
      month: at.getUTCMonth() + 1,
      dow: at.getUTCDay(),
    })
}

export function isSchedule(text: string): boolean {
  try {
    dueBy(text)
    return true
  } catch {
    return false
  }
}
