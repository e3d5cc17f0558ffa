import { ActionIcon } from '@mantine/core'
import { IconArrowBarToRight, IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from './instrument-timeline.module.css'
import { type ChosenSpan, moved, type PresetKey, presets, type Span, zoomed } from './timeline-span.ts'

/** In the order of their length; the usual one stands first in the list itself. */
const byLength = presets.toSorted((one, other) => one.days - other.days)
const OWN = 'own'

/** How much time is shown, and steps to earlier, later, closer and farther. */
export function TimelineControls(props: {
  chosen: ChosenSpan
  span: Span
  now: number
  onChoose: (chosen: ChosenSpan) => void
}) {
  const { chosen, span, now, onChoose } = props
  const zoom = (factor: number) => onChoose(zoomed(span, { factor, around: (span.from + span.to) / 2, now }))
  const isNowInSight = now < span.to
  return (
    <div className={styles.controls}>
      <SegmentedControl
        label="Time shown"
        value={typeof chosen === 'string' ? chosen : OWN}
        options={byLength.map(({ key, label }) => ({ value: key as PresetKey | typeof OWN, label }))}
        onChange={(key) => key !== OWN && onChoose(key)}
      />
      <span className={styles.steps}>
        <Step label="Earlier" onPress={() => onChoose(moved(span, { share: -0.5, now }))}>
          <IconChevronLeft size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Later" onPress={() => onChoose(moved(span, { share: 0.5, now }))}>
          <IconChevronRight size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Zoom in" onPress={() => zoom(0.5)}>
          <IconZoomIn size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step label="Zoom out" onPress={() => zoom(2)}>
          <IconZoomOut size={16} stroke={1.7} aria-hidden="true" />
        </Step>
        <Step
          label="Go to now"
          isDisabled={isNowInSight}
          onPress={() => onChoose(moved(span, { share: (now - span.to) / (span.to - span.from) + 0.04, now }))}
        >
          <IconArrowBarToRight size={16} stroke={1.7} aria-hidden="true" />
        </Step>
      </span>
    </div>
  )
}

function Step(props: { label: string; isDisabled?: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <ActionIcon
      size={30}
      aria-label={props.label}
      title={props.label}
      disabled={props.isDisabled ?? false}
      onClick={props.onPress}
    >
      {props.children}
    </ActionIcon>
  )
}
