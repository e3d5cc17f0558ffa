import type { UsageHistory as History } from '@benchwatch/contract/usage'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useNow } from '../../ui/use-now.ts'
import { TableSwitch } from './reading-table.tsx'
import { usageHistoryQuery } from './usage.api.ts'
import { forecastSentence, paceSentence } from './usage-forecast-words.ts'
import styles from './usage-history.module.css'
import { UsageHistoryChart } from './usage-history-chart.tsx'
import { UsageHistoryTable } from './usage-history-table.tsx'
import { usageAmount, usageVerdict, usageWord } from './usage-judgement.ts'
import { UsageSign } from './usage-sign.tsx'

/** A dialog about one counter: its days, when it will reach its limit, and how that is known. */
export function UsageHistory(props: {
  of: { id: string; componentName: string; metric: string }
  isOpen: boolean
  onClose: () => void
}) {
  const { of, isOpen, onClose } = props
  const history = useQuery({ ...usageHistoryQuery(of), enabled: isOpen })
  return (
    <Modal opened={isOpen} onClose={onClose} size={780} title={`${of.metric} · ${of.componentName}`}>
      <div className={styles.body}>
        {history.data !== undefined ? (
          <HistoryStory history={history.data} />
        ) : history.isError ? (
          <RetryLine onRetry={() => void history.refetch()}>The history could not be loaded.</RetryLine>
        ) : (
          <div role="status" aria-label="Loading history…" />
        )}
      </div>
    </Modal>
  )
}

function HistoryStory({ history }: { history: History }) {
  const [isTable, setIsTable] = useState(false)
  // Days of the history are UTC days.
  const today = new Date(useNow()).toISOString().slice(0, 10)
  const { metric, values } = history
  const pace = paceSentence(history)
  return (
    <>
      <p className={styles.now}>
        <UsageSign color={metric.usageColor} />
        <strong>{usageWord(metric)}</strong>
        <span className={styles.amount}>{usageAmount(metric)}</span>
        <span className={styles.verdict}>{usageVerdict(metric)}</span>
      </p>
      <p className={styles.forecast}>{forecastSentence(history, today)}</p>
      {pace !== null && <p className={styles.pace}>{pace}</p>}
      {values.length === 0 ? (
        <p className={styles.pace}>No day was measured yet.</p>
      ) : isTable ? (
        <UsageHistoryTable history={history} />
      ) : (
        <UsageHistoryChart history={history} today={today} />
      )}
      <p className={styles.end}>
        Last value of each day, in UTC
        {values.length > 0 && <TableSwitch isTable={isTable} onChange={setIsTable} />}
      </p>
    </>
  )
}
