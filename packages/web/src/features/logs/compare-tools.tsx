import { ActionIcon, Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { type Ref, useState } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SEARCH_LENGTH } from './compare-address.ts'
import { CompareClockPanel } from './compare-clock-panel.tsx'
import { parseMoment, writeMoment } from './compare-moment.ts'
import type { Direction } from './compare-place.ts'
import { CompareShortcuts } from './compare-shortcuts.tsx'
import styles from './compare-tools.module.css'

/** Search and its matches, a moment to go to, the way back to the event, and the clock of one log. */
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
  /** Null where no log is corrected, because none is chosen there. */
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
        // Enter leads to the next match once the search was sent; the box sends it at the first Enter.
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
            title="Difference of clocks"
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
          Type a time such as 14:02:23 or 20 Nov 2026 14:02.
        </span>
      )}
    </form>
  )
}
