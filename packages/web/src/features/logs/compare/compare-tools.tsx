import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { lazy, type Ref, useState } from 'react'
import { startOfDay } from '../../../lib/time/dates.ts'
import { parseTypedDate } from '../../../lib/time/typed-dates.ts'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import { Dropdown } from '../../../ui/overlay/dropdown.tsx'
import { ShortcutButton, type ShortcutGroup } from '../../../ui/overlay/shortcut-sheet.tsx'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { type Direction, SEARCH_LENGTH } from './compare-address.ts'
import { clockDifferenceLabel, parseClockDifference, writeClockDifference } from './compare-clock.ts'
import styles from './compare-tools.module.css'

const ShortcutSheet = lazy(() =>
  import('../../../ui/overlay/shortcut-sheet.tsx').then((file) => ({ default: file.ShortcutSheet })),
)

/** Keys that `compare-logs.tsx` binds, and keys of the browser when the lines have the focus. */
const groups: readonly ShortcutGroup[] = [
  {
    title: 'Two logs',
    shortcuts: [
      { keys: ['/'], does: 'Search both logs' },
      { keys: ['n'], does: 'Next match' },
      { keys: ['N'], does: 'Previous match' },
      { keys: ['e'], does: 'Back to the event' },
    ],
  },
  {
    title: 'Lines',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Scroll both logs' },
      { keys: ['Page Up', 'Page Down'], does: 'Previous or next screen' },
      { keys: ['Home', 'End'], does: 'First or last loaded line' },
    ],
  },
]

/** Toolbar: search and its matches, jump to a moment, back to the event, and the clock difference. */
export function CompareTools(props: {
  search: string
  searchBox: Ref<HTMLInputElement>
  onSearch: (search: string) => void
  /** Null without a search. */
  onSeek: ((direction: Direction) => void) | null
  isSeeking: boolean
  middle: () => number
  onMoment: (at: number) => void
  onEvent: (() => void) | null
  /** Null if the side of the corrected clock has no log. */
  clock: {
    name: string
    ahead: number
    canAlign: boolean
    onChange: (ahead: number) => void
    onAlign: () => void
  } | null
}) {
  const { onSeek, clock } = props
  return (
    <div className={styles.tools}>
      <form
        className={styles.search}
        // Enter goes to the next match once the search was sent; the first Enter sends it.
        onSubmit={(submit) => {
          submit.preventDefault()
          onSeek?.('newer')
        }}
      >
        <SearchBox
          label="Search both logs"
          shortcut="/"
          maxLength={SEARCH_LENGTH}
          keyword={props.search}
          inputRef={props.searchBox}
          onChange={props.onSearch}
        />
        <SeekButton direction="older" onSeek={onSeek} isSeeking={props.isSeeking} />
        <SeekButton direction="newer" onSeek={onSeek} isSeeking={props.isSeeking} />
      </form>
      <MomentField middle={props.middle} onMoment={props.onMoment} />
      {props.onEvent !== null && (
        <Button
          className={styles.event}
          variant="default"
          aria-keyshortcuts="e"
          aria-label="Back to the event"
          title="Back to the event (e)"
          onClick={props.onEvent}
        >
          <span className={styles.wide}>Back to the event</span>
          <span className={styles.narrow}>Event</span>
        </Button>
      )}
      <div className={styles.end}>
        {clock !== null && (
          <Dropdown
            title="Clock difference"
            icon={<IconClock size={15} stroke={1.7} aria-hidden="true" />}
            mark={<Chevron to="down" />}
            align="end"
            width={340}
            panel={(close) => (
              <CompareClockPanel
                clock={clock.name}
                ahead={clock.ahead}
                canAlign={clock.canAlign}
                onChange={(ahead) => {
                  clock.onChange(ahead)
                  close()
                }}
                onAlign={() => {
                  close()
                  clock.onAlign()
                }}
              />
            )}
          >
            Clocks
          </Dropdown>
        )}
        <span className={styles.keys}>
          <CompareShortcuts />
        </span>
      </div>
    </div>
  )
}

function SeekButton(props: {
  direction: Direction
  onSeek: ((direction: Direction) => void) | null
  isSeeking: boolean
}) {
  const { direction, onSeek } = props
  const [label, key] = direction === 'newer' ? ['Next match', 'n'] : ['Previous match', 'N']
  return (
    <ActionIcon
      className={styles.seek}
      variant="default"
      size={34}
      aria-label={label}
      aria-keyshortcuts={direction === 'newer' ? 'n' : 'Shift+N'}
      title={`${label} (${key})`}
      disabled={onSeek === null}
      aria-busy={props.isSeeking || undefined}
      onClick={() => onSeek?.(direction)}
    >
      <Chevron to={direction === 'newer' ? 'down' : 'up'} />
    </ActionIcon>
  )
}

function MomentField({ middle, onMoment }: { middle: () => number; onMoment: (at: number) => void }) {
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  return (
    <form
      className={styles.moment}
      onSubmit={(submit) => {
        submit.preventDefault()
        const at = parseMoment(text, middle())
        setRefused(at === null && text.trim() !== '')
        if (at === null) return
        setText(writeMoment(at))
        onMoment(at)
      }}
    >
      <input
        aria-label="Go to a time"
        placeholder="Go to 14:02:23"
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? 'moment-refused' : undefined}
        value={text}
        maxLength={60}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setRefused(false)
        }}
      />
      <button type="submit">Go</button>
      {isRefused && (
        <span id="moment-refused" role="alert" className={styles.refused}>
          Enter a time such as 14:02:23 or 20 Nov 2026 14:02.
        </span>
      )}
    </form>
  )
}

/**
 * Reads a moment typed in the user's zone: `14:02` and `14:02:23.120` on the day of `beside`, the same after a date in
 * any form that date fields accept, a date alone, or an ISO instant. Null for anything else.
 */
export function parseMoment(text: string, beside: number): number | null {
  const tidy = text.trim()
  if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(tidy)) return numberOrNull(Date.parse(tidy))
  const parts = /^(.*?)[\s,@T]*(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?$/.exec(tidy)
  if (parts === null) return parseTypedDate(tidy)?.getTime() ?? null
  const [, date = '', hours = '', minutes = '', seconds = '0', fraction = '0'] = parts
  const day = date === '' ? startOfDay(new Date(beside)) : parseTypedDate(date)
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  // Uses the wall clock: on days with a clock change, hours cannot be counted from midnight.
  return new Date(day).setHours(hour, minute, second, Number(fraction.padEnd(3, '0')))
}

/** Returns `20 Nov 2026 14:02:23`, which `parseMoment` reads back. */
export function writeMoment(at: number): string {
  return dayjs(at).format('D MMM YYYY HH:mm:ss')
}

function numberOrNull(number: number): number | null {
  return Number.isNaN(number) ? null : number
}

function CompareShortcuts() {
  return <ShortcutButton size={34} sheet={(close) => <ShortcutSheet groups={groups} onClose={close} />} />
}

/** Sets how far one clock is ahead: typed, or from two lines of the same moment. */
function CompareClockPanel(props: {
  /** The clock's owner: `PC-012`. */
  clock: string
  ahead: number
  canAlign: boolean
  onChange: (ahead: number) => void
  onAlign: () => void
}) {
  const { clock, ahead } = props
  const [text, setText] = useState(ahead === 0 ? '' : writeClockDifference(ahead))
  const difference = text.trim() === '' ? 0 : parseClockDifference(text)
  const [isRefused, setRefused] = useState(false)
  return (
    <form
      className={styles.panel}
      onSubmit={(submit) => {
        submit.preventDefault()
        setRefused(difference === null)
        if (difference !== null) props.onChange(difference)
      }}
    >
      <h2 className={styles.title}>Clock of {clock}</h2>
      <p className={styles.text}>
        Enter how far it is ahead of the other log’s clock. Its lines are then shown at corrected times.
      </p>
      <div className={styles.row}>
        <TextInput
          className={styles.field}
          label="Ahead by"
          description="For example 90 or 1:30; negative if behind"
          placeholder="0"
          value={text}
          error={
            isRefused && difference === null ? 'Enter seconds such as 90, or a duration such as -1:30.' : undefined
          }
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Correct</Button>
      </div>
      <p className={styles.meaning} aria-live="polite">
        {difference !== null && difference !== 0 && `${clock} is ${clockDifferenceLabel(difference)}.`}
      </p>
      <div className={styles.foot}>
        <Button variant="default" disabled={!props.canAlign} onClick={props.onAlign}>
          Align two lines
        </Button>
        {ahead !== 0 && (
          <Button variant="default" onClick={() => props.onChange(0)}>
            Remove correction
          </Button>
        )}
      </div>
      <p className={styles.text}>To align, select a line of the same moment on each side.</p>
    </form>
  )
}
