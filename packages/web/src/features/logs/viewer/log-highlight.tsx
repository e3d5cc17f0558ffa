import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { useMemo } from 'react'
import { cutText, readHighlight, showUnseen, type TextPiece } from '../log-text.ts'
import styles from './log-highlight.module.css'

/** One field of a line with matches marked; a dash if it is missing. */
export function LogFieldText({ hit, field }: { hit: LogHit; field: LogField }) {
  const text = hit._source[field]
  const pieces = useMemo(() => fieldPieces(hit, field), [hit, field])
  if (text === null || text === '') return <span className={styles.none}>–</span>
  return (
    <bdi>
      <Pieces pieces={pieces} />
    </bdi>
  )
}

/** The message of a line, up to 64 kB; a long one is cut until it is opened. */
export function LogMessage(props: { hit: LogHit; isOpen: boolean; onToggle: () => void }) {
  const { hit, isOpen, onToggle } = props
  const pieces = useMemo(() => fieldPieces(hit, 'message'), [hit])
  const cut = useMemo(() => cutText(pieces), [pieces])
  const isLong = cut.isCutBefore || cut.isCutAfter
  return (
    <>
      <div dir="auto" className={styles.message}>
        {!isOpen && cut.isCutBefore && '… '}
        <Pieces pieces={isOpen ? pieces : cut.pieces} />
        {!isOpen && cut.isCutAfter && ' …'}
      </div>
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? 'Show less' : `Show all ${cut.whole}`}
        </button>
      )}
    </>
  )
}

function fieldPieces({ _source, highlight }: LogHit, field: LogField): TextPiece[] {
  const fragments = highlight?.[field]
  const text = _source[field] ?? ''
  return showUnseen(fragments === undefined ? [{ text, isMarked: false }] : fragments.flatMap(readHighlight))
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return pieces.map(({ text, isMarked, sign }, index) => {
    const shown =
      sign === undefined ? (
        text
      ) : (
        <span className={styles.sign} title={sign}>
          {text}
        </span>
      )
    // The pieces of a text never move.
    return isMarked ? <mark key={index}>{shown}</mark> : <span key={index}>{shown}</span>
  })
}
