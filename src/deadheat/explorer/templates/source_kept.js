// Where answers come from: files beside this page, computed beforehand, and the engine itself for the calculators.
const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
const wordsOf = async (text) => new TextDecoder().decode(await unpacked(text));

const source = {
  kept: {}, worker: null, pending: null,
  silent: "the file with this answer is not beside the page",

  async ask(kind, query, signal) {
    const asked = new URLSearchParams(query);
    if (kind === "tie" || kind === "plan") return this.compute([kind, [...asked]], signal);
    const found = await this.look(kind, asked);
    return [!("error" in found), found];
  },

  board: () => "board.html",

  // Answers that were computed beforehand, by the settings that they answer.
  async look(kind, asked) {
    if (kind === "board") return this.file("board");
    if (kind === "rerun") return (await this.file("rerun"))[[...asked].map(([name, value]) => `${name}=${value}`).sort().join("&")];
    const all = (await this.file(`coverage-${asked.get("items")}-${asked.get("level")}`))[`${asked.get("start")} ${asked.get("stop")}`];
    const methods = (asked.get("methods") ?? "").split(",");
    return { ...all, curves: all.curves.filter((curve) => methods.includes(curve.method)) };
  },

  // A file is a script, since a page from disk may read nothing else.
  async file(name) {
    if (!this.kept[name]) {
      this.kept[name] = new Promise((found, failed) => {
        const script = element("script", { src: `${name}.js` });
        script.onload = () => found(wordsOf(globalThis.deadheat[name]).then(JSON.parse));
        script.onerror = () => failed(new Error(name));
        document.head.append(script);
      });
    }
    return this.kept[name];
  },

  // The engine runs in a worker; a question that is no longer of interest is given up with its worker.
  async compute(question, signal) {
    if (this.pending) {
      this.worker.then((worker) => worker.terminate());
      this.worker = null;
    }
    const mark = (this.pending = {});
    const worker = await (this.worker ??= this.start());
    if (signal.aborted) throw new DOMException("", "AbortError");
    const text = await new Promise((answered, failed) => {
      worker.onmessage = (event) => (event.data.answer === undefined ? failed(new Error(event.data.failed)) : answered(event.data.answer));
      signal.addEventListener("abort", () => failed(new DOMException("", "AbortError")));
      worker.postMessage({ question: JSON.stringify(question) });
    });
    if (this.pending === mark) this.pending = null;
    const found = JSON.parse(text);
    return [!("error" in found), found];
  },

  async start() {
    const { code, wasm, files } = globalThis.deadheat.engine;
    const [text, bytes, sources] = await Promise.all([wordsOf(code), unpacked(wasm), wordsOf(files)]);
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    await new Promise((ready, failed) => {
      worker.onmessage = (event) => (event.data.ready ? ready() : failed(new Error(event.data.failed)));
      worker.onerror = (event) => failed(new Error(event.message));
      worker.postMessage({ wasm: bytes, files: JSON.parse(sources) });
    });
    return worker;
  },
};
source.worker = source.start();
