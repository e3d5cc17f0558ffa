import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../db/connect.ts'

/** Maximum size, because the picture is part of the head of every page. */
const MOST_BYTES = 50_000

const mediaTypes: Record<string, string> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' }

/**
 * Returns the picture at LOGO_FILE as a data address `data:image/svg+xml;base64,…`, or null if none is configured.
 * That way the logo needs no public address of its own, and browsers do not run scripts in an SVG. Throws
 * OperatorError.
 */
export async function readLogo({ logoFile }: Pick<Config, 'logoFile'>): Promise<string | null> {
  if (logoFile === null) return null
  const mediaType = mediaTypes[extname(logoFile).toLowerCase()]
  if (mediaType === undefined) throw new OperatorError(`LOGO_FILE is ${logoFile}: name a .svg, .png or .webp file.`)
  const picture = await readFile(logoFile).catch((error: Error) => {
    throw new OperatorError(`The logo cannot be read. Choose another LOGO_FILE: ${error.message}`)
  })
  if (picture.length > MOST_BYTES) {
    throw new OperatorError(`LOGO_FILE has ${picture.length} bytes: make it smaller than ${MOST_BYTES}.`)
  }
  return `data:${mediaType};base64,${picture.toString('base64')}`
}
