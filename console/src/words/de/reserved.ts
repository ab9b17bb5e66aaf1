import type { Words } from '../en.ts'

export const reserved: Words['reserved'] = {
  title: 'Vormerkungen',
  what: 'Was angezeigt wird',
  of: {
    holds: {
      name: 'Offene Vormerkungen',
      intro: 'Punkte, die für Mitglieder vorgemerkt sind, zum Beispiel für einen Kauf.',
      none: 'Keine offenen Vormerkungen',
      noneHint: 'Vorgemerkte Punkte warten, bis sie eingelöst oder freigegeben werden.',
    },
    awards: {
      name: 'Zusagen',
      intro: 'Punkte, die zugesagt und noch nicht gutgeschrieben sind.',
      none: 'Keine Zusagen',
      noneHint: 'Zugesagte Punkte werden später gutgeschrieben: an einem Tag oder von jemandem.',
    },
  },
  member: 'Mitglied',
  amount: 'Punkte',
  ends: 'Ende',
  entry: 'Eintrag',
}
