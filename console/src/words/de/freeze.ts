import type { Words } from '../en.ts'

export const freeze: Words['freeze'] = {
  freeze: {
    label: 'Einfrieren',
    title: (name) => `${name} einfrieren?`,
    titleMany: (count) => `${count} Mitglieder einfrieren?`,
    effects: [
      'Ein eingefrorenes Mitglied kann keine Punkte einlösen, übertragen oder vormerken. Auch abziehen und ' +
        'vorgemerkte Punkte einlösen geht nicht.',
      'Es kann weiterhin Punkte bekommen: von dir, von Bots und von anderen Mitgliedern.',
    ],
    option: 'Auch in Ranglisten ausblenden',
    optionHint: 'Sonst bleibt der Rang bestehen, auch auf der öffentlichen Seite.',
    optionDone: 'In Ranglisten bereits ausgeblendet.',
    done: (name) => `${name} ist eingefroren`,
    doneMany: (count) =>
      count === '1' ? '1 Mitglied ist eingefroren' : `${count} Mitglieder sind eingefroren`,
    noteLine: (day, reason) => `${day}: eingefroren. ${reason}`,
  },
  unfreeze: {
    label: 'Einfrieren aufheben',
    title: (name) => `Einfrieren von ${name} aufheben?`,
    titleMany: (count) => `Einfrieren von ${count} Mitgliedern aufheben?`,
    effects: ['Punkte können wieder eingelöst, übertragen und vorgemerkt werden.'],
    option: 'Wieder in Ranglisten anzeigen',
    optionHint: 'Sonst bleibt die Ausblendung bestehen, auch auf der öffentlichen Seite.',
    optionDone: 'In Ranglisten sichtbar.',
    done: (name) => `${name} ist nicht mehr eingefroren`,
    doneMany: (count) =>
      count === '1'
        ? '1 Mitglied ist nicht mehr eingefroren'
        : `${count} Mitglieder sind nicht mehr eingefroren`,
    noteLine: (day, reason) => `${day}: Einfrieren aufgehoben. ${reason}`,
  },
  reason: 'Grund',
  reasonHint: 'Kommt mit dem heutigen Datum in die Notiz. Nur Manager sehen sie.',
  noteFull: (name) => `In der Notiz von ${name} ist dafür kein Platz. Kürze den Grund oder die Notiz.`,
  reading: (done, all) => `Mitglieder werden gelesen: ${done} von ${all}`,
  leftOut: (count) =>
    count === '1'
      ? '1 wurde übersprungen: entfernt oder zusammengeführt.'
      : `${count} wurden übersprungen: entfernt oder zusammengeführt.`,
  stopped:
    'Dieses Mitglied ist eingefroren: Du kannst Punkte vergeben, aber nicht abziehen, übertragen oder ' +
    'vormerken.',
  stoppedCharge: 'Dieses Mitglied ist eingefroren: Vorgemerkte Punkte lassen sich nicht einlösen.',
}
