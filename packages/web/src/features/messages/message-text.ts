/** What can be done with the text of a message: codes are copied, addresses are opened. Pure rules. */

/** The first code of a text: six digits that are no part of a longer number, a name or an address. */
export function codeIn(text: string): string | null {
  return /(?<![\w\-#/.+=])\d{6}(?![\w\-/]|\.\d)/.exec(text)?.[0] ?? null
}

export interface TextPiece {
  text: string
  isLink: boolean
}

/** Cuts a text where web addresses begin and end; a mark that ends the sentence is no part of one. */
export function linkPieces(text: string): TextPiece[] {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).flatMap((piece, index) =>
    // The pattern's group stands at every second place.
    piece === '' ? [] : [{ text: piece, isLink: index % 2 === 1 }],
  )
}
