import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { clockDifferenceWords, parseClockDifference, writeClockDifference } from './compare-clock.ts'
import styles from './compare-clock-panel.module.css'

/** States by how much one of the two clocks is ahead: typed, or by two lines that are known to be of one moment. */
export function CompareClockPanel(props: {
  /** Whose clock: `PC-012`. */
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
        Say by how much it is ahead of the other log’s clock. Its lines are then shown at the corrected times.
      </p>
      <div className={styles.row}>
        <TextInput
          className={styles.field}
          label="Ahead by"
          description="Such as 90 or 1:30; with a minus, behind"
          placeholder="0"
          value={text}
          error={isRefused && difference === null ? 'Type seconds such as 90, or a time such as -1:30.' : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit">Correct</Button>
      </div>
      <p className={styles.meaning} aria-live="polite">
        {difference !== null && difference !== 0 && `${clock} is ${clockDifferenceWords(difference)}.`}
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
      <p className={styles.text}>To align, choose a line on either side that tells of the same moment.</p>
    </form>
  )
}
