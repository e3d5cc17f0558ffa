import { notificationKindLabels } from '@benchwatch/contract/notification-vocabulary'
import type { Explanation } from '@benchwatch/contract/notifications'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { CheckTable } from './check-table.tsx'
import { NotificationLines } from './notification-lines.tsx'
import { checksIn, deciderLabel, type Outcome, verdictOf } from './verdict.ts'
import styles from './verdict-card.module.css'

/** One profile and one event: told or not, what decided it, what was sent, and all that was looked at. */
export function VerdictCard({ explanation, name }: { explanation: Explanation; name: string | null }) {
  const { outcome, title, sinceThen } = verdictOf(explanation, name)
  const decider = deciderLabel(explanation)
  return (
    <Card title={notificationKindLabels[explanation.kind]}>
      <div className={styles.verdict} data-outcome={outcome}>
        <Mark outcome={outcome} />
        <div className={styles.words}>
          <p className={styles.title}>
            <bdi>{title}</bdi>
          </p>
          <p dir="auto">{explanation.sentence}</p>
          {sinceThen !== null && <p className={styles.since}>{sinceThen}</p>}
          {decider !== null && (
            <p className={styles.decided}>
              Decided by <strong>{decider}</strong>
            </p>
          )}
        </div>
      </div>
      {explanation.notifications.length > 0 && (
        <>
          <h3 className={styles.part}>Messages</h3>
          <NotificationLines notifications={explanation.notifications} showsWho={false} showsKind={false} />
        </>
      )}
      <h3 className={styles.part}>What was looked at</h3>
      <CheckTable
        label={`What was looked at: ${notificationKindLabels[explanation.kind]}`}
        checks={checksIn(explanation)}
      />
    </Card>
  )
}

const shapes: Record<Outcome, ReactNode> = {
  told: <path d="M5.5 10.4 8.6 13.5 14.6 6.8" />,
  coming: <path d="M10 5.4V10l3 2" />,
  'not-told': <path d="M6.6 6.6l6.8 6.8M13.4 6.6l-6.8 6.8" />,
  lost: <path d="M10 5.6v5.2M10 13.9v.2" />,
}

/** A shape of its own for each outcome; the words beside it say the same. */
function Mark({ outcome }: { outcome: Outcome }) {
  return (
    <svg className={styles.mark} viewBox="0 0 20 20" width="28" height="28" aria-hidden="true">
      <circle cx="10" cy="10" r="9.2" fill="currentColor" />
      <g fill="none" stroke="var(--bw-panel)" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round">
        {shapes[outcome]}
      </g>
    </svg>
  )
}

/** Before it is there: as high as it will be. `checks`: lines of its table. */
export function WaitingVerdict({ title, checks }: { title: string; checks: number }) {
  return (
    <div aria-hidden="true">
      <Card title={title}>
        <div className={styles.verdict}>
          <div className={styles.words}>
            <p className={styles.title}>
              <SkeletonLine width="150px" />
            </p>
            <p>
              <SkeletonLine width="280px" />
            </p>
          </div>
        </div>
        {Array.from({ length: checks + 1 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
          <div key={index} className={styles.bone}>
            <SkeletonLine width={`${88 - ((index * 17) % 50)}%`} />
          </div>
        ))}
      </Card>
    </div>
  )
}
