import type { Dates } from "../domain/text/day-in-words.ts";
import type { Language } from "../domain/text/languages.ts";
import * as german from "../domain/text/locale.copy.de.ts";
import * as english from "../domain/text/locale.copy.en.ts";
import * as spanish from "../domain/text/locale.copy.es.ts";
import * as italian from "../domain/text/locale.copy.it.ts";
import * as dutch from "../domain/text/locale.copy.nl.ts";
import * as french from "../domain/text/locale.copy.ts";
import { customerMailsCopy as germanMails } from "./customer-mails.copy.de.ts";
import { customerMailsCopy as englishMails } from "./customer-mails.copy.en.ts";
import { customerMailsCopy as spanishMails } from "./customer-mails.copy.es.ts";
import { customerMailsCopy as italianMails } from "./customer-mails.copy.it.ts";
import { customerMailsCopy as dutchMails } from "./customer-mails.copy.nl.ts";
import { customerMailsCopy as frenchMails } from "./customer-mails.copy.ts";
import { type CustomerMail, type CustomerMailWords, customerMails } from "./customer-mails.ts";
import type { MailCopy, MailFrame } from "./mail-copy.ts";
import type { MailTemplate } from "./mail-template.ts";
import { mailFrameCopy, mailsCopy } from "./mails.copy.ts";

type Spoken = { words: CustomerMailWords; dates: Dates };

const SPOKEN: Readonly<Record<Language, Spoken>> = {
  fr: { words: frenchMails, dates: french },
  en: { words: englishMails, dates: english },
  de: { words: germanMails, dates: german },
  es: { words: spanishMails, dates: spanish },
  it: { words: italianMails, dates: italian },
  nl: { words: dutchMails, dates: dutch },
};

/** A mail in a language; what goes to merchants is French whatever is asked for. */
export type MailWords = {
  language: Language;
  copy: MailCopy;
  frame: MailFrame;
  dates: Dates;
};

const known = new Map<Language, Readonly<Record<CustomerMail, MailCopy>>>();

/** The words of a mail in a customer's language. */
export function mailWords(template: MailTemplate, asked: Language): MailWords {
  const language = isCustomerMail(template) ? asked : "fr";
  const { words, dates } = SPOKEN[language];
  const mails = known.get(language) ?? customerMails(words);
  known.set(language, mails);
  return {
    language,
    copy: isCustomerMail(template) ? mails[template] : mailsCopy[template],
    frame: { ...mailFrameCopy, ...words.frame, colon: words.colon },
    dates,
  };
}

function isCustomerMail(template: MailTemplate): template is CustomerMail {
  return /^(prize|review_)/.test(template);
}
