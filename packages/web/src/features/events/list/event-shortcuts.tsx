import { ShortcutButton, type ShortcutGroup, ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'

/** Describes the keys that `ui/list/use-list-rows.ts`, `map-canvas.tsx` and `event-details.tsx` bind. */
const eventShortcuts: readonly ShortcutGroup[] = [
  {
    title: 'Event list',
    shortcuts: [
      { keys: ['/'], does: 'Search' },
      { keys: ['j'], does: 'Next event' },
      { keys: ['k'], does: 'Previous event' },
      { keys: ['x'], does: 'Select or deselect' },
      { keys: ['v'], does: 'Expand or collapse' },
      { keys: ['Esc'], does: 'Collapse, or clear the selection' },
      { keys: ['a'], does: 'Assign to me, or take over' },
      { keys: ['z'], does: 'Undo the last assignment to me' },
      { keys: ['c'], does: 'Close the event' },
      { keys: ['l'], does: 'Logs around the event' },
      { keys: ['e'], does: 'E-mails about the event' },
      { keys: ['o', 'Enter'], does: 'Open the event' },
    ],
  },
  {
    title: 'Map',
    shortcuts: [{ keys: ['z'], does: 'Zoom to all results' }],
  },
  {
    title: 'Event page',
    shortcuts: [
      { keys: ['j'], does: 'Next event of the list' },
      { keys: ['k'], does: 'Previous event of the list' },
      { keys: ['a'], does: 'Assign to me' },
      { keys: ['c'], does: 'Close the event' },
      { keys: ['l'], does: 'View logs' },
      { keys: ['e'], does: 'Show e-mails' },
      { keys: ['s'], does: 'E-mail the event' },
      { keys: ['u', 'Esc'], does: 'Back to the list' },
    ],
  },
]

/** Shortcut sheet of the event list, its map and the event page. */
export function EventShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <ShortcutSheet groups={eventShortcuts} onClose={close} />} />
}
