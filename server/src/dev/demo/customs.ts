/** What the members of the demo get points for and spend them on, and how often. */

/** Events of a usual day, and the factor for each day of the week, from Sunday on. */
export const perDay = 52
export const weekdays = [1.3, 0.7, 0.75, 0.85, 0.9, 1.25, 1.5]
/** Weights of the hours of a day, from midnight UTC: quiet nights, busy evenings. */
export const hours = [3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 8, 10, 12, 14, 15, 13, 9, 5]

export const awards = [
  { reason: 'Daily check-in', tokens: 10, weight: 30 },
  { reason: 'An hour in the voice channel', tokens: 15, weight: 18 },
  { reason: 'Answered a question', tokens: 20, weight: 16 },
  { reason: 'Helped a newcomer', tokens: 25, weight: 12 },
  { reason: 'A week without a missed day', tokens: 50, weight: 6 },
  { reason: 'Shared a drawing', tokens: 40, weight: 6 },
  { reason: 'Wrote a guide', tokens: 120, weight: 2 },
  { reason: 'Hosted game night', tokens: 200, weight: 1 },
] as const
export const praises = [
  { reason: 'Thanked by a member', tokens: 1, weight: 12 },
  { reason: 'Answer marked as the solution', tokens: 3, weight: 5 },
  { reason: 'Guide pinned', tokens: 10, weight: 1 },
] as const
/** Many have no reason. */
export const tips = ['Thank you!', 'For the drawing', 'Lost a bet', 'Nice play', 'Birthday', '', '']
export const wares = [
  { item: 'raffle-ticket', reason: 'Raffle ticket', price: 20, weight: 8 },
  { item: 'name-colour', reason: 'Name colour for a month', price: 90, weight: 3 },
  { item: 'soundboard', reason: 'A sound for the soundboard', price: 150, weight: 2 },
  { item: 'emoji-slot', reason: 'An emoji of your own', price: 300, weight: 1 },
] as const
