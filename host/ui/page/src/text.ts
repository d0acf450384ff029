// Makes foreign text harmless to look at: what would be obeyed instead of shown is written as an escape. It never makes
// markup; the DOM gets text nodes only. The rules are those of host/view/text, but for what only a terminal needs.

/** A piece of text; `escaped` pieces stand for characters that have no picture of their own. */
export interface Piece {
  text: string;
  escaped: boolean;
}

// A sequence that a terminal would obey: CSI, OSC up to its end, or ESC with one more character.
const ansi =
  /^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,99}(?:\u0007|\u001b\\)|\u001b[ -~]|\u009b[0-?]*[ -/]*[@-~])/;

// Characters that show nothing, change the writing direction, or are nobody's.
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const suspicious = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{M}]/u;
const plain = /^[\n\t -~]*$/;
const mark = /\p{M}/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const joining = new RegExp(
  "[" +
    [
      "Arabic",
      "Syriac",
      "Mandaic",
      "Nko",
      "Adlam",
      "Mongolian",
      "Phags_Pa",
      "Devanagari",
      "Bengali",
      "Gurmukhi",
      "Gujarati",
      "Oriya",
      "Tamil",
      "Telugu",
      "Kannada",
      "Malayalam",
      "Sinhala",
      "Balinese",
      "Javanese",
      "Khmer",
      "Lao",
      "Myanmar",
      "Thai",
      "Tibetan",
    ]
      .map((script) => `\\p{Script=${script}}`)
      .join("") +
    "]",
  "u",
);

/** How many accents may sit on one character; more are used to draw over the lines beside it. */
const mostMarks = 4;

/** Splits foreign text into what can be shown as it is and escapes. Line feeds and tabs stay. */
export function pieces(s: string): Piece[] {
  if (plain.test(s)) return [{ text: s, escaped: false }];
  const cutter = new Cutter();
  for (let i = 0; i < s.length;) i += cutter.take(s, i);
  return cutter.done();
}

/** Foreign text for a place that takes a string: within one line, escapes in the text. */
export function clean(s: string): string {
  return pieces(s)
    .map((p) => p.text)
    .join("");
}

/** The same within one line, with line feeds shown. */
export function line(s: string): string {
  return clean(s).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

class Cutter {
  private out: Piece[] = [];
  private shown = "";
  private before = ""; // the last character that was shown
  private marks = 0;

  /** Takes what stands at i, and returns how much that was. */
  take(s: string, i: number): number {
    const code = s.codePointAt(i)!;
    if (code === 0x0d && s[i + 1] === "\n") return 1;
    if (code === 0x1b || code === 0x9b) {
      const sequence = ansi.exec(s.slice(i, i + 512));
      if (sequence) {
        this.escape(spelled(sequence[0]));
        return sequence[0].length;
      }
    }
    const c = String.fromCodePoint(code);
    if (this.isShown(c, s, i + c.length)) {
      this.marks = mark.test(c) ? this.marks + 1 : 0;
      this.shown += c;
      this.before = c;
    } else {
      this.escape(escapeOf(code));
    }
    return c.length;
  }

  done(): Piece[] {
    this.flush();
    return this.out;
  }

  private isShown(c: string, s: string, next: number): boolean {
    if (c === "\n" || c === "\t" || !suspicious.test(c)) return true;
    if (mark.test(c) && !hidden.test(c)) return this.marks < mostMarks;
    const after = next < s.length ? String.fromCodePoint(s.codePointAt(next)!) : "";
    switch (c) {
      case "\u200d":
        return (pictograph.test(this.before) && pictograph.test(after)) || joining.test(this.before);
      case "\u200c":
        return joining.test(this.before) && joining.test(after);
      case "\ufe0e":
      case "\ufe0f":
        return /[\p{S}\p{N}\p{Emoji}]/u.test(this.before);
    }
    return false;
  }

  private escape(text: string): void {
    this.flush();
    const last = this.out.at(-1);
    if (last?.escaped) last.text += text;
    else this.out.push({ text, escaped: true });
    this.before = "";
  }

  private flush(): void {
    if (this.shown !== "") this.out.push({ text: this.shown, escaped: false });
    this.shown = "";
  }
}

function spelled(sequence: string): string {
  return [...sequence].map((c) => (hidden.test(c) ? escapeOf(c.codePointAt(0)!) : c)).join("");
}

function escapeOf(code: number): string {
  if (code <= 0xff) return "\\x" + code.toString(16).padStart(2, "0");
  if (code <= 0xffff) return "\\u" + code.toString(16).padStart(4, "0");
  return "\\U" + code.toString(16).padStart(8, "0");
}
