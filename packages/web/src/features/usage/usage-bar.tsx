import type { ComponentMetric } from '@benchwatch/contract/instruments/usage'
import type { UsageColor } from '@benchwatch/contract/vocabulary'
import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import styles from './usage.module.css'
import { usageBar, usageTooltip } from './usage-judgement.ts'

/** A shape for each colour, so that it is recognised without colour: dot, shield, diamond, triangle, empty ring. */
const shapes: Record<UsageColor, string> = {
  normal: 'M6 1.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z',
  safety: 'M6 0.8 10.6 2.4V6C10.6 8.6 8.7 10.5 6 11.4 3.3 10.5 1.4 8.6 1.4 6V2.4Z',
  high: 'M6 0.6 11.4 6 6 11.4 0.6 6Z',
  maximum: 'M6 0.9 11.5 11H0.5Z',
  unknown: 'M6 1.9a4.1 4.1 0 1 1 0 8.2a4.1 4.1 0 1 1 0-8.2Z',
}

/**
 * Shows a counter as a share of its maximum with marks where the judgement changes, or a count-down as one of three
 * steps. Each colour has a pattern of its own. The figures are beside it as text.
 */
export function UsageBar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  const { usageColor } = metric
  if (bar.kind === 'steps')
    return (
      <span className={styles.bar} data-usage={usageColor} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <span key={step} className={step <= bar.step ? styles.fill : styles.part} />
        ))}
      </span>
    )
  const [width, marks] = bar.kind === 'share' ? [bar.width, bar.marks] : [null, []]
  return (
    <span
      className={styles.bar}
      data-kind="share"
      data-usage={bar.kind === 'none' ? 'unknown' : usageColor}
      aria-hidden="true"
    >
      {width !== null && <span className={styles.fill} style={{ width: `${width}%` }} />}
      {marks.map((mark) => (
        <span key={mark} className={styles.mark} style={{ left: `${mark}%` }} />
      ))}
    </span>
  )
}

/** Explains the judgement of a counter when its content is hovered, focused or touched. */
export function UsageTooltip({ metric, children }: { metric: ComponentMetric | undefined; children: ReactElement }) {
  return (
    <Tooltip
      label={metric && usageTooltip(metric)}
      disabled={metric === undefined}
      events={{ hover: true, focus: true, touch: true }}
      position="top-end"
    >
      {children}
    </Tooltip>
  )
}

/** The colour and shape of a use, beside its label. */
export function UsageIcon({ color }: { color: UsageColor }) {
  const isHollow = color === 'unknown'
  return (
    <svg data-usage={color} viewBox="0 0 12 12" width="12" height="12" style={{ flex: 'none' }} aria-hidden="true">
      <path
        d={shapes[color]}
        fill={isHollow ? 'none' : 'var(--usage)'}
        {...(isHollow && { stroke: 'var(--usage)', strokeWidth: 1.6, strokeDasharray: '2.6 1.7' })}
      />
    </svg>
  )
}
