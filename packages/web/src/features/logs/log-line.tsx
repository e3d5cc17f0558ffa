import type { LogField, LogHit } from '@benchwatch/contract/instruments/logs'
import { ERROR_LEVEL, WARNING_LEVEL } from '@benchwatch/contract/patterns'
import type { LogType } from '@benchwatch/contract/vocabulary'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import { type LogChoice, logLabel, writeLog } from './log-labels.ts'
import styles from './log-line.module.css'
import { formatLineTime, lineTimeTitle } from './log-time.ts'

/** Parts of log lines that the viewer and the comparison share. */

const ofModules = ['log.level', 'module', 'event.code', 'message'] as const

/** Fields beside the time, by log type; the message is the last. */
export const logColumns: Record<LogType, readonly LogField[]> = {
  VID: ofModules,
  COMM: ofModules,
  AUDITTRAIL: ['log.level', 'winlog.user.name', 'module', 'event.code', 'message'],
  INSTRUMENTSERVER: ['log.level', 'host.hostname', 'event.code', 'message'],
  // Not the host: the log is of one computer, which its label names.
  UNICORNCLIENT: ['log.level', 'winlog.user.name', 'event.code', 'message'],
  WINDOWSSYSTEMEVENT: ['log.level', 'event.code', 'winlog.user.name', 'host.hostname', 'message'],
  CONNECTIVITY: ofModules,
  THRESHOLD: ofModules,
  SYSTEMREPORT: ofModules,
  EVENT: ofModules,
}

export const fieldLabels: Record<LogField, string> = {
  'log.level': 'Level',
  module: 'Module',
  'event.code': 'Code',
  'winlog.user.name': 'User',
  'host.hostname': 'Host',
  message: 'Message',
}

/** Returns matching fields without a column: otherwise nothing would explain why the line was found. */
export function foundElsewhere({ highlight }: LogHit, columns: readonly LogField[]): LogField[] {
  return (Object.keys(highlight ?? {}) as LogField[]).filter((field) => !columns.includes(field))
}

/** The time of a line or an event, to the millisecond; hovering shows the date, and a further `note`. */
export function LineTime(props: { at: number | string; siteZone: string | null; note?: string | undefined }) {
  const { at, siteZone, note } = props
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={[lineTimeTitle(at, siteZone), note].filter(Boolean).join('\n')}
      data-corrected={note !== undefined || undefined}
    >
      {formatLineTime(at)}
    </time>
  )
}

/** One field of a line with matches marked; a dash if it is missing. */
export function LogFieldText({ hit, field }: { hit: LogHit; field: LogField }) {
  const pieces = useMemo(() => fieldPieces(hit, field), [hit, field])
  const text = (hit._source[field] ?? '') === '' ? <span className={styles.none}>–</span> : <bdi>{drawn(pieces)}</bdi>
  if (field !== 'log.level') return text
  const level = hit._source[field] ?? ''
  const tone = ERROR_LEVEL.test(level) ? 'error' : WARNING_LEVEL.test(level) ? 'warning' : null
  return <LevelMark tone={tone}>{text}</LevelMark>
}

/** A text with the colour and the sign of errors or warnings. */
export function LevelMark({ tone, children }: { tone: 'error' | 'warning' | null; children: ReactNode }) {
  return (
    <span className={styles.level} data-tone={tone}>
      {tone !== null && (
        <svg viewBox="0 0 12 12" width="9" height="9" aria-hidden="true">
          <path d={signs[tone]} fill="currentColor" />
        </svg>
      )}
      {children}
    </span>
  )
}

/** Shapes in a square of 12 units: a triangle and a diamond. */
export const signs = { error: 'M6 .8 11.6 11H.4Z', warning: 'M6 .4 11.6 6 6 11.6.4 6Z' } as const

/** The message of a line, up to 64 kB; a long one is cut until it is opened. */
export function LogMessage(props: { hit: LogHit; isOpen: boolean; onToggle: () => void }) {
  const { hit, isOpen, onToggle } = props
  const pieces = useMemo(() => fieldPieces(hit, 'message'), [hit])
  const cut = useMemo(() => cutText(pieces), [pieces])
  return (
    <>
      <div dir="auto" className={styles.message}>
        {!isOpen && cut.isCutBefore && '… '}
        {drawn(isOpen ? pieces : cut.pieces)}
        {!isOpen && cut.isCutAfter && ' …'}
      </div>
      {(cut.isCutBefore || cut.isCutAfter) && (
        <button type="button" className={styles.link} aria-expanded={isOpen} onClick={onToggle}>
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

function drawn(pieces: readonly TextPiece[]): ReactNode {
  return pieces.map(({ text, isMarked, sign }, index) => {
    const Tag = isMarked ? 'mark' : 'span'
    return (
      // The pieces of a text never move.
      <Tag key={index} className={sign === undefined ? undefined : styles.sign} title={sign}>
        {text}
      </Tag>
    )
  })
}

/** Names of the lines whose long messages are open. */
export function useOpenLines() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((name: string) => {
    setOpen((names) => {
      const next = new Set(names)
      if (!next.delete(name)) next.add(name)
      return next
    })
  }, [])
  return [open, toggle] as const
}

/** Selects one of an instrument's logs. */
export function LogSelect(props: {
  label: string
  className?: string | undefined
  logs: readonly LogChoice[]
  /** An address may name a log that has no lines yet. */
  chosen: LogChoice | null
  isDisabled?: (log: LogChoice) => boolean
  onChoose: (log: LogChoice) => void
}) {
  const { chosen } = props
  const value = chosen === null ? '' : writeLog(chosen)
  const isListed = chosen === null || props.logs.some((log) => writeLog(log) === value)
  const logs = isListed ? props.logs : [chosen, ...props.logs]
  return (
    <NativeSelect
      className={[styles.select, props.className].filter(Boolean).join(' ')}
      aria-label={props.label}
      value={value}
      onChange={({ currentTarget }) => {
        const log = logs.find((one) => writeLog(one) === currentTarget.value)
        if (log !== undefined) props.onChoose(log)
      }}
    >
      {chosen === null && <option value="">Choose a log</option>}
      {logs.map((log) => (
        <option key={writeLog(log)} value={writeLog(log)} disabled={props.isDisabled?.(log)}>
          {logLabel(log)}
        </option>
      ))}
    </NativeSelect>
  )
}

// Machine-written text is split into pieces to draw: matches marked, invisible characters made visible, long texts cut.
// It is never passed to the browser as HTML.

export interface TextPiece {
  text: string
  /** True if it matches the search. */
  isMarked: boolean
  /** Set if `text` stands for invisible characters; contains their names: U+0007. */
  sign?: string
}

/** Reads a highlighted field of a search answer: HTML-escaped, with matches in <em>. */
export function readHighlight(fragment: string): TextPiece[] {
  // Escaped text contains no < of its own.
  return fragment
    .split(/<em>(.*?)<\/em>/su)
    .map((part, index) => ({ text: unescapeHtml(part), isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeHtml(text: string): string {
  return text.replace(/&(#?)(\w{1,8});/gu, (whole, number: string, name: string) => {
    if (number === '') return entities[name] ?? whole
    // `x27` becomes 0x27.
    const code = Number(name.startsWith('x') ? `0${name}` : name)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/**
 * Control characters except line feed and tab, and characters that change the direction of text or have no width: they
 * could make a line read differently from what was written.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex -- control characters are what this searches for
  /([\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+)/u

/** Shows invisible characters as codes, \x07 or \u202E, as in source code. Not as ␇, which few fonts contain. */
export function showUnseen(pieces: readonly TextPiece[]): TextPiece[] {
  return pieces.flatMap(({ text, isMarked }) =>
    text
      .replaceAll('\r\n', '\n')
      .split(unseen)
      .map((part, index) => (index % 2 === 1 ? signOf(part, isMarked) : { text: part, isMarked }))
      .filter((piece) => piece.text !== ''),
  )
}

function signOf(characters: string, isMarked: boolean): TextPiece {
  const codes = [...characters].map((character) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase())
  return {
    text: codes
      .map((code) => (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`))
      .join(''),
    isMarked,
    sign: codes.map((code) => `U+${code.padStart(4, '0')}`).join(' '),
  }
}

/** Longer texts are cut until the user opens them: about six lines on a phone. */
export const SHOWN_CHARACTERS = 400
const SHOWN_LINES = 6
/** Characters shown before a match that would be cut off. */
const BEFORE_FIND = 80

const count = new Intl.NumberFormat('en')

interface CutText {
  pieces: TextPiece[]
  /** True if text before the first match is left out. */
  isCutBefore: boolean
  isCutAfter: boolean
  /** Full length in words: `64,000 characters`. */
  whole: string
}

/** Returns the beginning of a long text, or the part around the first match. */
export function cutText(pieces: readonly TextPiece[]): CutText {
  const text = pieces.map((piece) => piece.text).join('')
  const found = offsetOfMark(pieces)
  const from = found === null || found < SHOWN_CHARACTERS - BEFORE_FIND ? 0 : wholeAt(text, found - BEFORE_FIND)
  const to = Math.min(wholeAt(text, from + SHOWN_CHARACTERS), endOfLines(text, from))
  const lines = text.split('\n').length
  return {
    pieces: slicePieces(pieces, from, to),
    isCutBefore: from > 0,
    isCutAfter: to < text.length,
    whole: lines > SHOWN_LINES ? `${count.format(lines)} lines` : `${count.format(text.length)} characters`,
  }
}

function offsetOfMark(pieces: readonly TextPiece[]): number | null {
  let offset = 0
  for (const { text, isMarked } of pieces) {
    if (isMarked) return offset
    offset += text.length
  }
  return null
}

/** Returns an offset that does not split a character. */
function wholeAt(text: string, offset: number): number {
  const code = text.charCodeAt(offset)
  return code >= 0xdc_00 && code <= 0xdf_ff ? offset - 1 : offset
}

/** Returns where the last visible line ends. */
function endOfLines(text: string, from: number): number {
  let end = from - 1
  for (let line = 0; line < SHOWN_LINES; line += 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text.length
  }
  return end
}

function slicePieces(pieces: readonly TextPiece[], from: number, to: number): TextPiece[] {
  let offset = 0
  const sliced: TextPiece[] = []
  for (const piece of pieces) {
    const text = piece.text.slice(Math.max(0, from - offset), Math.max(0, to - offset))
    offset += piece.text.length
    if (text !== '') sliced.push({ ...piece, text })
  }
  return sliced
}
