// Requests of the page and replies of the server. The types have the names and fields of those in requests.rs, replies.rs and
// person_replies.rs of crates/explore/src/questions. A request leaves out what it does not ask for.

export type Color = string;

/** Name in requests, name for players, x and y in the picture, column and row. */
export type Point = [name: string, shown: string, x: number, y: number, column: number, row: number];

export interface Points {
  radius: number;
  all: Point[];
}

export interface Reading {
  state: "reading";
  games: number;
  files: number;
  read_bytes: number;
  total_bytes: number;
  inputs: string[];
}

export interface Failed {
  state: "failed";
  message: string;
}

export interface Ready {
  state: "ready";
  games: number;
  positions: number;
  variations: boolean;
  variation_positions: number | null;
  bytes: number | null;
  inputs: string[];
  partial: boolean;
  boards: string[];
  starts: StartReply[];
}

export interface StartReply {
  board: string;
  handicap: number;
  black: number;
  white: number;
  games: number;
  setups: number;
  moves: string | null;
}

export interface Captures {
  B: number;
  W: number;
}

/** Point with a label or a mark of the record. */
export interface MarkReply {
  column: number;
  row: number;
  label: string | null;
  mark: string | null;
}

export interface Picture {
  svg: string;
  points: Points;
}

export interface BoardReply extends Picture {
  /** Column, row and number of each numbered stone. */
  numbers: [column: number, row: number, number: number][];
  last: [column: number, row: number] | null;
  marks: MarkReply[];
  captures: Captures | null;
  to_play: Color | null;
}

/** Results and years of games. */
export interface Tally {
  count: number;
  share: number;
  black_wins: number;
  white_wins: number;
  black_share: number | null;
  black_low: number | null;
  black_high: number | null;
  first_year: number | null;
  last_year: number | null;
  example?: string;
}

export interface NextMoveReply extends Tally {
  color: Color | null;
  next: string;
  /** Text that the page appends to its moves to go there. */
  add: string | null;
  field: [column: number, row: number] | null;
}

export interface NextMovesReply {
  left_out: number;
  replies: NextMoveReply[];
}

/** Board after the moves of a request. */
export interface TriedReply extends BoardReply {
  rows: string[];
  move: number;
  line: string[];
  illegal: string | null;
  illegal_at: number | null;
}

/** The next moves and the board are missing if the games have several boards, or none. */
export interface PositionReply extends Partial<NextMovesReply & TriedReply> {
  boards: [name: string, games: number][];
  games: number;
  is_alone: boolean;
  mean: number | null;
  impossible: string | null;
  command: string;
  board?: string;
  pattern?: string;
}

export interface CopyReply {
  sgf: string;
  text: string;
  svg: string;
}

export interface LabelPoint {
  label: string;
  point: string;
  sgf: string;
}

/** Names and date of a game. */
export interface GameNames {
  name: string;
  pb: string;
  br?: string;
  pw: string;
  wr?: string;
  dt: string;
}

export interface RemarkText {
  node: string;
  move: number;
  next: string | null;
  add: string | null;
  judgments: string[];
  name: string | null;
  comment: string | null;
  labels: LabelPoint[];
  symmetry: string;
  is_exchanged: boolean;
  pb: string;
  pw: string;
  dt: string;
}

export interface SaidRow extends RemarkText {
  id: number;
  game: string;
}

export interface JudgedMoveReply {
  add: string;
  judgment: string;
  count: number;
}

export interface SaidReply {
  games: number;
  read: number;
  total: number;
  rows: SaidRow[];
  judged: JudgedMoveReply[];
  command: string;
}

export interface RoadStep {
  path: string;
  setup: string;
  add: string | null;
  name: string | null;
  games: number;
}

export interface RoadReply {
  board: string;
  steps: RoadStep[];
}

export interface GameColumns {
  pb: string;
  br: string;
  pw: string;
  wr: string;
  dt: string;
  re: string;
  ev: string;
  km: string;
  moves: string;
  handicap: string;
}

export interface GameRowReply extends GameColumns {
  id: number;
  move: number;
  next: string;
  path: string | null;
  excerpt?: string;
  name: string;
}

export interface GamesReply {
  total: number;
  skip: number;
  rows: GameRowReply[];
  command: string;
}

export interface OtherNode {
  path: string;
  move: string | null;
}

/** Evaluation from Black's view. */
export interface EvaluationReply {
  winrate: number | null;
  score_lead: number | null;
  visits: number | null;
  cost: number | null;
  score_cost: number | null;
}

export interface ClockReply {
  time_left: number | null;
  overtime_moves: number | null;
  time_used: number | null;
}

export interface LineNode {
  path: string;
  move: string | null;
  number: number | null;
  comment?: boolean;
  /** Other nodes after the same parent, if the node begins a variation. */
  others?: OtherNode[];
  evaluation?: EvaluationReply;
  clock?: ClockReply;
}

/** Path, column, row, whether it begins a variation, color of the move, and flags. */
export type DrawnNode = [path: string, column: number, row: number, isBranch: boolean, color: Color | null, flags: number];

export interface TreeReply {
  nodes: DrawnNode[];
  /** Column and row of each node with variations, and the row of its last variation. */
  branches: [column: number, row: number, last: number][];
  is_cut: boolean;
}

/** A move to try after the node, or the path of its own node. */
export interface EngineStep {
  name: string;
  add?: string;
  path?: string;
}

export interface EngineLineReply {
  winrate: number | null;
  score_lead: number | null;
  visits: number | null;
  steps: EngineStep[];
}

export interface JudgedReply extends OtherNode {
  judged: "right" | "wrong" | null;
}

export interface Neighbor {
  id: number;
  move: number;
  path?: string;
}

export interface PlaceInList {
  number: number;
  total: number;
  before: Neighbor | null;
  after: Neighbor | null;
}

export interface PatternPlace {
  column: number;
  row: number;
  width: number;
  height: number;
  transform: string;
  exchanged: boolean;
}

export interface NodeReply {
  line: LineNode[];
  at: number;
  nodes: number;
  name: string | null;
  comment: string | null;
  info: [name: string, text: string][];
  tree: TreeReply;
  engine?: EngineLineReply[];
  judged: JudgedReply[] | null;
  turn: Color | null;
  moves: string | null;
  board: string;
}

/** A node has a board, or `no_board`: the reason why not. */
export interface ShownNode extends Partial<BoardReply> {
  is_rotated?: boolean;
  move?: number;
  played?: string | null;
  no_board?: string;
}

export interface GameReply extends NodeReply, ShownNode {
  command: string;
  id: number;
  file: string;
  list: PlaceInList | null;
  rotation: string | null;
  hit: PatternPlace | null;
}

export interface RecordReply {
  games: number;
  black: number;
  white: number;
  won: number;
  lost: number;
  share: number | null;
  low: number | null;
  high: number | null;
  years: [first: number, last: number] | null;
}

export interface PlayerReply extends RecordReply {
  name: string;
  opponents: number;
  most_frequent: string;
}

export interface PlayersReply {
  rows: PlayerReply[];
  total: number;
  command: string;
}

export interface PartReply extends RecordReply {
  name: string;
}

export interface OpeningReply extends RecordReply {
  color: Color;
  svg: string | null;
  board: string;
  moves: string;
  spelled: string;
}

export interface PersonReply extends RecordReply {
  name: string;
  against: string | null;
  colors: PartReply[];
  spellings: PartReply[];
  by_year: PartReply[];
  opponents: PartReply[];
  opponents_total: number;
  openings: OpeningReply[];
  command: string;
}

export interface NameReply {
  name: string;
  games: number;
}

export interface NamesReply {
  rows: NameReply[];
}

export interface FindingExample {
  id: number | null;
  game: string;
  path: string;
  message: string;
}

export interface CodeReply {
  title: string;
  text: string;
  advice: string;
  sgfc: number | null;
}

export interface FindingRow {
  code: string;
  severity: "error" | "warning" | "note";
  count: number;
  games: number;
  examples: FindingExample[];
  explain: CodeReply;
}

export interface FindingsReply {
  rows: FindingRow[];
  command: string;
}

export interface RepairedFinding {
  code: string;
  path: string;
  message: string;
  left: boolean;
}

export interface RepairReply {
  findings: RepairedFinding[];
  changed: boolean;
  before: string;
  after: string;
}

export interface FilterRequest {
  where?: string;
}

export interface QuestionRequest extends FilterRequest {
  moves?: string;
  from?: NodeRequest;
  pattern?: string;
  all?: boolean;
  board?: string;
  swap_colors?: boolean;
  exact?: boolean;
  mover?: string;
  variations?: boolean;
}

export interface NodeRequest {
  id: number;
  path?: string;
}

export interface PositionRequest extends QuestionRequest {
  rotation?: string;
}

export interface SaidRequest extends QuestionRequest {
  longest?: boolean;
  skip?: number;
  count?: number;
}

export interface RoadRequest extends QuestionRequest {
  id?: number;
  sgf?: string;
}

export interface LineRequest {
  moves: string;
  comment?: string;
  marked?: boolean;
}

export interface LinesRequest extends QuestionRequest {
  lines: LineRequest[];
}

export interface ListRequest extends QuestionRequest {
  search?: string;
  code?: string;
  sort?: string;
  descending?: boolean;
}

export interface GamesRequest extends ListRequest {
  skip?: number;
  count?: number;
}

export interface GameRequest extends ListRequest {
  id: number;
  path?: string;
  move?: number;
  rotation?: string;
}

export interface ExportRequest extends ListRequest {
  id?: number;
  repaired?: boolean;
  said?: boolean;
}

export interface RepairRequest {
  id: number;
}

export interface PlayersRequest extends FilterRequest {
  search?: string;
}

export interface NamesRequest {
  prefix: string;
  count?: number;
}

export interface PersonRequest extends FilterRequest {
  person: string;
  against?: string;
  depth?: number;
  variations?: boolean;
}

/** The requests by their names, each with its parameters and its reply. `Response` is a file. */
export interface Questions {
  status: [object, Reading | Failed | Ready];
  position: [PositionRequest, PositionReply];
  copy: [PositionRequest, CopyReply];
  said: [SaidRequest, SaidReply];
  road: [RoadRequest, RoadReply];
  games: [GamesRequest, GamesReply];
  game: [GameRequest, GameReply];
  players: [PlayersRequest, PlayersReply];
  names: [NamesRequest, NamesReply];
  person: [PersonRequest, PersonReply];
  findings: [FilterRequest, FindingsReply];
  repair: [RepairRequest, RepairReply];
  tree: [QuestionRequest, Response];
  lines: [LinesRequest, Response];
  export: [ExportRequest, Response];
  stats: [FilterRequest, Response];
}

export type Question = keyof Questions;
export type Asked<Name extends Question> = Questions[Name][0];
export type Reply<Name extends Question> = Questions[Name][1];
