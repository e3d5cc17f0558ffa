/**
 * The project's own lint rule, loaded by `.oxlintrc.json`: a doc comment is a sentence or starts with a noun. Openings
 * such as "What the server answers" have no verb and have to be decoded.
 */

interface Comment {
  type: string
  value: string
  range: [number, number]
}

interface RuleContext {
  sourceCode: { getAllComments(): Comment[] }
  report(problem: { message: string; node: Comment }): void
}

const refused = /^\*[\s*]*(What|Whose|Whom|Of|By|Under|Where|Whether)\b/

const docCommentOpening = {
  create(context: RuleContext) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const word = comment.type === 'Block' && refused.exec(comment.value)?.[1]
          if (!word) continue
          context.report({
            message: `Start this doc comment with a verb or a noun instead of "${word}".`,
            node: comment,
          })
        }
      },
    }
  },
}

const plugin = { meta: { name: 'benchwatch' }, rules: { 'doc-comment-opening': docCommentOpening } }

// oxlint loads a plugin by its default export.
export default plugin
