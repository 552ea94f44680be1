import { endpoints } from '@firmquote/core/endpoints'
import { answered, handle } from '../handle.ts'
import { sendJsonText } from '../responses/answer.ts'
import { encodeQuotePage } from '../responses/encodeQuotePage.ts'

/** Concatenates the stored texts of the quotes, because encoding them again would cost more than everything else. */
export const handleListQuotes = handle(
  endpoints.listQuotes,
  ({ service: { book } }) =>
    async ({ query }, _req, res) => {
      sendJsonText(res, 200, encodeQuotePage(await book.listTexts(query)))
      return answered
    },
)
