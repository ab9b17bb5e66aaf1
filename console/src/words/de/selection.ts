import type { Words } from '../en.ts'

export const selection: Words['selection'] = {
  label: 'Ausgewählte Mitglieder',
  selected: (count) => `${count} ausgewählt`,
  full: (count) => `${count} ausgewählt, das Maximum`,
  select: (name) => `${name} auswählen`,
  selectAll: (count) => `Alle ${count} geladenen Mitglieder auswählen`,
  clear: 'Auswahl aufheben',
  award: 'Vergeben',
  exportCsv: 'Als CSV exportieren',
  exported: (count) => (count === '1' ? '1 Mitglied exportiert' : `${count} Mitglieder exportiert`),
  more: 'Mehr',
  hide: {
    label: 'In Ranglisten ausblenden',
    title: (count) =>
      count === '1'
        ? '1 Mitglied in Ranglisten ausblenden?'
        : `${count} Mitglieder in Ranglisten ausblenden?`,
    effect: 'Der Rang entfällt, auch auf der öffentlichen Seite. Die Punkte bleiben.',
    confirm: 'Ausblenden',
    done: (count) =>
      count === '1'
        ? '1 Mitglied ist in Ranglisten ausgeblendet'
        : `${count} Mitglieder sind in Ranglisten ausgeblendet`,
  },
  show: {
    label: 'In Ranglisten anzeigen',
    title: (count) =>
      count === '1' ? '1 Mitglied in Ranglisten anzeigen?' : `${count} Mitglieder in Ranglisten anzeigen?`,
    effect: 'Der Rang richtet sich wieder nach den Punkten, auch auf der öffentlichen Seite.',
    confirm: 'Anzeigen',
    done: (count) =>
      count === '1' ? '1 Mitglied erscheint in Ranglisten' : `${count} Mitglieder erscheinen in Ranglisten`,
  },
}
