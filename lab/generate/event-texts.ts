import type { AlertType, Severity } from '@benchwatch/contract/vocabulary'
import { type InstrumentType, instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { faultsByType } from '@benchwatch/samples/event-templates'
import { type Fault, templateIdOf } from '@benchwatch/samples/faults/fault'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import { fold } from './fold.ts'

/** The texts of an event, with their folded form. */
interface EventText {
  templateId: string
  severity: Severity
  alertType: AlertType
  component: string
  description: string
  userMessage: string | null
  folded: string
}

/** Draws the text of one event of an instrument. */
type TextSource = (instrument: { id: number; type: InstrumentType }, random: SeededRandom) => EventText

/** A word in one of fifty thousand events, for rare keywords. */
export const RARE_WORD = 'sinterplate'
const RARE_SHARE = 1 / 50_000
/** A word in every fourth event. */
export const FREQUENT_WORD = 'pressure'
/** The share of events without a template. */
const FREE_SHARE = 0.15

const methods = Array.from(
  { length: 40 },
  (_, index) => `${['mAb capture', 'Polishing', 'CIP', 'SEC'][index % 4]} ${index + 1}`,
)
const freeWords =
  'pressure limit exceeded communication lost temperature deviation calibration required firmware mismatch leak detected door open flow unstable battery low sensor fault air inlet timeout overheated module not responding signal drift motor stalled cabinet operator reported noise vibration filter clogged buffer empty column bypass valve position unknown restart needed tray lamp hours reached fraction collector jam pH probe conductivity cell mixer speed'.split(
    ' ',
  )
const freeComponents = Array.from({ length: 30 }, (_, index) => {
  const name = ['Cabinet', 'Buffer tray', 'Balance', 'Gas mixer', 'Flow meter', 'CPU board'][index % 6]
  return `${name} ${index + 1} (X${index + 1})`
})

/** Returns every component that a text names. */
export function componentNames(): string[] {
  const faults = Object.values(faultsByType).flatMap((list) => list ?? [])
  return [...new Set([...faults.map(({ component }) => component), ...freeComponents])]
}

/** A text, a number in a range, or the running method. */
type Piece = string | { low: number; high: number; decimals: number } | { method: true }

interface Template {
  head: Omit<EventText, 'description' | 'folded'>
  /** The pieces of the text, and the same pieces folded. */
  pieces: readonly Piece[]
  foldedPieces: readonly Piece[]
  foldedEnd: string
}

/**
 * Returns a source of texts: those of the samples' templates with measured values, and free ones. The same `random`
 * gives the same texts.
 */
export function eventTexts(): TextSource {
  const known = Object.values(faultsByType).flatMap((faults) => (faults ? [faults] : []))
  const byType = new Map(
    instrumentTypes.map((type, index) => {
      // A type without its own faults uses those of another type.
      const faults = faultsByType[type] ?? known[index % known.length] ?? []
      return [type, faults.map(templateOf)]
    }),
  )
  return (instrument, random) => {
    if (random.chance(FREE_SHARE)) return freeText(instrument, random)
    const templates = byType.get(instrument.type) ?? []
    // A few templates make most of the events.
    const template = templates[Math.floor(templates.length * random.next() ** 2)]
    return template ? filled(template, random) : freeText(instrument, random)
  }
}

function templateOf(fault: Fault): Template {
  const pieces = piecesOf(fault.detail ? `${fault.title}. ${fault.detail}` : fault.title)
  const { severity, alertType, component, userMessage } = fault
  return {
    head: { templateId: templateIdOf(fault), severity, alertType, component, userMessage },
    pieces,
    foldedPieces: pieces.map((piece) => (typeof piece === 'string' ? fold(piece) : piece)),
    foldedEnd: `\n${fold(userMessage)}`,
  }
}

/** Splits a text: `{4.1-5.6}` is a number in that range, `{method}` the running method. */
function piecesOf(text: string): Piece[] {
  return text.split(/(\{[^{}]+\})/).flatMap((part): Piece[] => {
    if (part === '{method}') return [{ method: true }]
    const range = /^\{(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)\}$/.exec(part)
    if (!range) return part === '' ? [] : [part]
    const [, low = '0', high = '0'] = range
    return [{ low: Number(low), high: Number(high), decimals: low.split('.')[1]?.length ?? 0 }]
  })
}

function filled({ head, pieces, foldedPieces, foldedEnd }: Template, random: SeededRandom): EventText {
  let description = ''
  let folded = ''
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      description += piece
      folded += foldedPieces[index] as string
    } else if ('method' in piece) {
      const method = random.pick(methods)
      description += method
      folded += method.toLowerCase()
    } else {
      const value = random.between(piece.low, piece.high).toFixed(piece.decimals)
      description += value
      folded += value
    }
  }
  return { ...head, description, folded: folded + foldedEnd }
}

/** An instrument has only a few components without a template, so it has about twenty in total. */
const FREE_COMPONENTS = 3

function freeText({ id }: { id: number }, random: SeededRandom): EventText {
  const words = Array.from({ length: random.integer(4, 9) }, () => random.pick(freeWords))
  // One in 50,000 of all events, so the share among free ones is larger.
  if (random.chance(RARE_SHARE / FREE_SHARE)) words.push(RARE_WORD)
  const component = freeComponents[(id * 7 + random.integer(1, FREE_COMPONENTS) * 11) % freeComponents.length] ?? ''
  const description = `${words.join(' ')} on ${component}`
  return {
    templateId: `GEN-${random.integer(1000, 1299)}`,
    severity: random.weighted(
      ['low', 'medium', 'high'] as const,
      (severity) => ({ low: 6, medium: 3, high: 1 })[severity],
    ),
    alertType: random.chance(0.6) ? 1 : 2,
    component,
    description,
    userMessage: null,
    folded: description.toLowerCase(),
  }
}
