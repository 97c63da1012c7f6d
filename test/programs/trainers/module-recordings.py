"""Makes recordings with exact beats from tracker modules, to train or to try a model of rhythm on.

    python3 test/programs/trainers/module-recordings.py --tell FOLDER
    python3 test/programs/trainers/module-recordings.py --out DIR FOLDER [--packages NAME ...] [--seed 1]

FOLDER has a folder for each package, with its modules anywhere below. People composed them, of recorded
samples, and a player knows when each row begins; only which rows are beats is not written in the file.
That is decided for each module (`beat_rows`, `JUDGED`) and can be read with `--tell`, a line for each module:
tempo, rows of a beat and a bar, and by row of a bar how many notes begin, how much louder the low and
the high bands become (0 to 9). `--out` writes `ID.raw` (mono, 16 bits, little-endian, 22,050 Hz) and
`ID.json` (`Labels` of rhythm-material.ts). Python 3, NumPy and libopenmpt 0.6 (Debian's libopenmpt0).
"""
import argparse
import ctypes
import glob
import hashlib
import json
import os
import random
from collections import Counter

import numpy as np

RATE = 22050
CHUNK = 64  # samples between two looks at the row: 2.9 ms
LONGEST_SONG = 300  # seconds that are heard of a module
BEAT = (70, 190)  # BPM
LIKELY = 118  # BPM; where nothing else tells, the level nearest to this is taken
SAME_PACE = 0.4  # octaves, within which a pattern keeps the rows of a beat
STEADY = 0.1  # a beat may be so much longer or shorter than the one before
SHORTEST, LONGEST, MOST = 20, 60, 6  # seconds of an excerpt, and excerpts of a module
EVEN = 0.8  # the share of an excerpt's bars that are whole
ENDINGS = ('mod', 'xm', 's3m', 'it', 'stm')

# What was read otherwise in `--tell`: (rows of a beat, beats of a bar), or none where it stays unclear.
JUDGED = {
    'biniax2-data/biniax_common04.it': None,
    'circuslinux-data/finally.mod': None,
    'clanlib-doc/b-title.mod': None,
    'clanlib-doc/clanbeat.xm': None,
    'flobopuyo/flobopuyo_gameover.xm': None,
    'flobopuyo/flobopuyo_menu.xm': None,
    'flobopuyo/strange_fear.xm': None,
    'flobopuyo/strange_fear2.xm': None,
    'flobopuyo/strange_gameover.xm': None,
    'freedroid-data/The_Last_V8.mod': None,
    'freedroid-data/android-commando_hiscore.mod': None,
    'freedroid-data/dreamfish-sanxion.mod': None,
    'gemdropx/citron.mod': None,
    'gl-117-data/standby.s3m': None,
    'gltron/song_revenge_of_cats.it': None,
    'heroes-sound-tracks/endscroll.xm': None,
    'heroes-sound-tracks/heroes01.xm': None,
    'heroes-sound-tracks/intro.xm': None,
    'ironseed-data/AARD.MOD': None,
    'ironseed-data/COMBAT.MOD': None,
    'ironseed-data/DPAK.MOD': None,
    'ironseed-data/GUILD.MOD': None,
    'ironseed-data/ICON.MOD': None,
    'ironseed-data/INTRO1.MOD': None,
    'ironseed-data/LOVE.MOD': None,
    'ironseed-data/PHADOR.MOD': None,
    'ironseed-data/PROBE.MOD': None,
    'ironseed-data/PSYEVAL.MOD': None,
    'ironseed-data/QUAI.MOD': None,
    'ironseed-data/SCANNER.MOD': None,
    'ironseed-data/SECTOR.MOD': None,
    'madbomber-data/waterfal.mod': None,
    'pachi-data/credits.s3m': (4, 3),
    'pachi-data/stage1.s3m': None,
    'pathogen/music.s3m': None,
    'pekka-kana-2-data/hiscore.xm': None,
    'pekka-kana-2-data/intro.xm': (4, 3),
    'pekka-kana-2-data/map.xm': None,
    'pekka-kana-2-data/song02.xm': None,
    'pekka-kana-2-data/song03.xm': None,
    'pekka-kana-2-data/song07.xm': (4, 3),
    'pekka-kana-2-data/song08.xm': None,
    'pekka-kana-2-data/song13.xm': None,
    'pingus-data/gd-cancn.it': None,
    'pingus-data/gd-giirm.s3m': None,
    'pingus-data/pingus-2.it': None,
    'pingus-data/pingus-4.it': None,
    'pingus-data/success_1.it': None,
    'pingus-data/success_2.it': None,
    'ri-li-data/jeu1.xm': None,
    'rockdodger/front_1.mod': None,
    'rockdodger/getzznew.mod': None,
    'tecnoballz-data/area5-game.mod': None,
    'tecnoballz-data/tecno-winn.mod': None,
    'tuxmath-data/game3.mod': None,
    'tuxtype-data/game3.mod': None,
    'vor/mph.xm': None,
}


def library():
    mpt = ctypes.CDLL('libopenmpt.so.0')
    pointer, number = ctypes.c_void_p, ctypes.c_int32
    signatures = dict(
        create_from_memory2=(pointer, [ctypes.c_char_p, ctypes.c_size_t] + [pointer] * 7),
        destroy=(None, [pointer]), get_duration_seconds=(ctypes.c_double, [pointer]),
        select_subsong=(number, [pointer, number]), get_num_subsongs=(number, [pointer]),
        set_render_param=(number, [pointer, number, number]),
        set_repeat_count=(number, [pointer, number]),
        read_interleaved_float_stereo=(ctypes.c_size_t, [pointer, number, ctypes.c_size_t, pointer]),
        get_current_row=(number, [pointer]), get_current_order=(number, [pointer]),
        get_current_pattern=(number, [pointer]), get_current_speed=(number, [pointer]),
        get_current_tempo=(number, [pointer]), get_num_channels=(number, [pointer]),
        get_pattern_num_rows=(number, [pointer, number]),
        get_pattern_row_channel_command=(ctypes.c_uint8, [pointer] + [number] * 4))
    for name, (result, arguments) in signatures.items():
        one = getattr(mpt, 'openmpt_module_' + name)
        one.restype, one.argtypes = result, arguments
    return mpt


MPT = library()


class Module:
    """A module that was played: what was heard, and its rows."""

    def __init__(self, path, chance):
        with open(path, 'rb') as file:
            content = file.read()
        self.handle = MPT.openmpt_module_create_from_memory2(content, len(content), *[None] * 7)
        if not self.handle:
            raise ValueError('no module')
        MPT.openmpt_module_select_subsong(self.handle, 0)
        duration = MPT.openmpt_module_get_duration_seconds(self.handle)
        # Short songs are played again, as games do.
        MPT.openmpt_module_set_repeat_count(self.handle, int(60 // max(4, duration)) if duration < 45 else 0)
        MPT.openmpt_module_set_render_param(self.handle, 2, chance.choice([50, 100, 100, 150]))
        MPT.openmpt_module_set_render_param(self.handle, 3, chance.choice([1, 2, 4, 4, 8]))
        self.left = chance.uniform(0.3, 0.7)
        self.play()
        self.count_notes()
        MPT.openmpt_module_destroy(self.handle)

    def play(self):
        """Rows as (sample, order, pattern, row, speed, tempo), and the samples."""
        heard = np.zeros((LONGEST_SONG * RATE + CHUNK, 2), np.float32)
        address, handle = heard.ctypes.data, self.handle
        read, row_of = MPT.openmpt_module_read_interleaved_float_stereo, MPT.openmpt_module_get_current_row
        order_of = MPT.openmpt_module_get_current_order
        rows, last, at = [], None, 0
        while at < LONGEST_SONG * RATE:
            got = read(handle, RATE, CHUNK, address + 8 * at)
            if got == 0:
                break
            now = (row_of(handle), order_of(handle))
            if now != last:
                rows.append((at, now[1], MPT.openmpt_module_get_current_pattern(handle), now[0],
                             MPT.openmpt_module_get_current_speed(handle),
                             MPT.openmpt_module_get_current_tempo(handle)))
                last = now
            at += got
        self.samples = heard[:at, 0] * self.left + heard[:at, 1] * (1 - self.left)
        self.rows = rows
        self.times = np.array([row[0] + CHUNK / 2 for row in rows] + [at]) / RATE

    def count_notes(self):
        """How many notes begin with each row."""
        channels = MPT.openmpt_module_get_num_channels(self.handle)
        command = MPT.openmpt_module_get_pattern_row_channel_command
        cells = {}
        for _, _, pattern, row, _, _ in self.rows:
            if (pattern, row) not in cells:
                cells[pattern, row] = sum(
                    0 < command(self.handle, pattern, row, channel, 0) < 121 for channel in range(channels))
        self.notes = np.array([cells[row[2], row[3]] for row in self.rows], float)


def louder(samples, times):
    """How much louder the low, the middle and the high bands are just after each time: rows × 3."""
    width = 768
    window = np.hanning(width).astype(np.float32)
    padded = np.pad(samples, (width, 4 * width))
    starts = (np.asarray(times) * RATE).astype(int) + width
    # The row's first 35 ms, and as much before it, without what the windows share.
    frames = np.stack([padded[at + shift:at + shift + width] for at in starts for shift in (-width, 64)])
    spectrum = np.abs(np.fft.rfft(frames * window, axis=1)).astype(np.float32)
    bands = np.stack([np.log10(1e-2 + spectrum[:, low:high].sum(1)) for low, high in ((1, 6), (12, 60), (100, 330))], 1)
    bands = bands.reshape(-1, 2, 3)
    return np.maximum(0, bands[:, 1] - bands[:, 0])


def instances(rows):
    """The rows of each pattern as it is played, from where it is entered to where it is left."""
    out, current = [], [0]
    for i in range(1, len(rows)):
        if rows[i][1] != rows[i - 1][1] or rows[i][3] <= rows[i - 1][3]:
            out.append(current)
            current = []
        current.append(i)
    return out + [current]


def paces_of(parts, times):
    """Seconds of a row of each pattern. Where two speeds alternate, rows of one pattern differ."""
    return [(times[part[-1] + 1] - times[part[0]]) / len(part) for part in parts]


def usual_pace(parts, times):
    return float(np.median(np.repeat(paces_of(parts, times), [len(part) for part in parts])))


def evidence(rows, times, notes, loud):
    """What tells which rows are beats: lengths, how alike rows are so many rows apart, and the means by position."""
    parts = instances(rows)
    position = np.concatenate([np.arange(len(part)) for part in parts])
    strength = np.minimum(notes, 6) + loud.sum(1)
    strength = strength - strength.mean()
    power = (strength**2).mean() + 1e-9
    alike = {lag: float((strength[lag:] * strength[:-lag]).mean() / power) if len(rows) > 2 * lag else 0.0
             for lag in (2, 3, 4, 6, 8, 12, 16, 24, 32)}

    def by(values, period):
        return np.array([values[position % period == k].mean() if (position % period == k).any() else 0.0
                         for k in range(period)])
    return parts, alike, by


def beat_rows(rows, times, notes, loud):
    """How many rows a beat has: (rows of a beat, whether it is threefold).

    Beats of 70 to 190 BPM. Threefold where rows are more alike three and six rows apart than two, four and eight.
    Of levels a factor of two apart, the one whose second and fourth beats have the snare and whose first and
    third the bass drum; where drums do not tell, the one nearest to 118 BPM.
    """
    parts, alike, by = evidence(rows, times, notes, loud)
    row = usual_pace(parts, times)
    threefold = alike[3] + alike[6] > alike[2] + alike[4] + 0.1 and alike[12] > max(alike[8], alike[16])
    best, most = None, -9.0
    for count in (3, 6, 12, 24) if threefold else (2, 4, 8, 16):
        tempo = 60 / (row * count)
        if not BEAT[0] <= tempo <= BEAT[1]:
            continue
        low, bright = by(loud[:, 0], 4 * count), by(loud[:, 1] + loud[:, 2], 4 * count)
        on, off = [0, 2 * count], [count, 3 * count]
        back = (bright[off].mean() - bright[on].mean()) / (bright.max() + 1e-9)
        drum = (low[on].mean() - low[off].mean()) / (low.max() + 1e-9)
        score = back + 0.5 * drum - 0.5 * abs(np.log2(tempo / LIKELY)) + (0.2 if count in (3, 4) else 0)
        if score > most:
            best, most = count, score
    return best, threefold


def spans(module, count, metre):
    """Stretches of steady beats: lists of (time, whether a bar begins).

    Counting begins anew with each pattern. A pattern that is played at half or double the speed has half or
    twice the rows to a beat; at another speed it is left out. A stretch ends where a beat is a tenth longer
    or shorter than the one before.
    """
    rows, times = module.rows, module.times
    parts = instances(rows)
    paces, usual = paces_of(parts, times), usual_pace(parts, times)
    beats = []
    for part, pace in zip(parts, paces):
        octaves = float(np.log2(pace / usual))
        level = 0 if abs(octaves) < SAME_PACE else round(octaves)
        if level != 0 and abs(octaves - level) > 0.1:
            beats.append(None)
            continue
        rows_of_beat = max(1, round(count * 2.0**-level))
        for k in range(0, len(part), rows_of_beat):
            beats.append((float(times[part[k]]), k % (rows_of_beat * metre) == 0))
    beats.append((float(times[-1]), False))
    out, current = [], []
    for beat in beats:
        if beat is not None and len(current) > 1:
            ratio = (beat[0] - current[-1][0]) / (current[-1][0] - current[-2][0])
            if abs(ratio - 1) > STEADY:
                out.append(current)
                current = [current[-1]]
        elif beat is None:
            out.append(current)
            current = []
            continue
        current.append(beat)
    return out + [current]


def pieces(module, count, metre):
    """(begin, end, beats, downbeats) of excerpts, in seconds of the song."""
    out = []
    for span in spans(module, count, metre):
        if len(span) < 16:
            continue
        begin, end = span[0][0], span[-1][0]
        number = int(np.ceil((end - begin) / LONGEST))
        for i in range(number):
            first = begin + (end - begin) * i / number
            last = begin + (end - begin) * (i + 1) / number
            inside = [beat for beat in span if first - 1e-6 <= beat[0] < last - 0.05]
            bars = [i for i, beat in enumerate(inside) if beat[1]]
            even = [b - a == metre for a, b in zip(bars, bars[1:])]
            if last - first < SHORTEST or len(inside) < 16 or not even or np.mean(even) < EVEN:
                continue
            if is_silent(module.samples[int(first * RATE):int(last * RATE)]):
                continue
            out.append((first, last, [b[0] - first for b in inside], [inside[i][0] - first for i in bars]))
    return out[:MOST]


def is_silent(samples):
    """Whether more than a fifth of the half seconds are 40 dB under the loud ones."""
    half = RATE // 2
    levels = np.sqrt((samples[:len(samples) // half * half].reshape(-1, half)**2).mean(1))
    return float((levels < 0.01 * np.percentile(levels, 90) + 1e-5).mean()) > 0.2


def bar_beats(parts, count):
    """Beats of a bar by the lengths of the patterns: 4, else 3; none where they are no multiple of a bar."""
    for metre in (4, 3):
        fitting = sum(len(part) for part in parts if len(part) % (count * metre) == 0)
        if fitting >= 0.7 * sum(len(part) for part in parts):
            return metre
    return None


def judged(package, name, module):
    """(rows of a beat, beats of a bar), none where the beats are not clear."""
    known = JUDGED.get(f'{package}/{name}', ())
    if known is None:
        return None
    if known:
        return known
    if len(module.rows) < 64:
        return None
    count, _ = beat_rows(module.rows, module.times, module.notes, louder(module.samples, module.times[:-1]))
    metre = count and bar_beats(instances(module.rows), count)
    return (count, metre) if metre else None


def modules_of(folder, packages):
    """(package, path) of each module; one that two packages have counts for the first."""
    seen = set()
    for path in sorted(glob.glob(os.path.join(folder, '**', '*'), recursive=True)):
        package = os.path.relpath(path, folder).split(os.sep)[0]
        if path.rsplit('.', 1)[-1].lower() not in ENDINGS or (packages and package not in packages):
            continue
        with open(path, 'rb') as file:
            digest = hashlib.md5(file.read()).hexdigest()
        if digest not in seen:
            seen.add(digest)
            yield package, path


def write(out, package, name, module, plan):
    count, metre = plan
    stem = name.rsplit('.', 1)[0].lower()
    written = 0
    for i, (first, last, beats, downbeats) in enumerate(pieces(module, count, metre)):
        samples = module.samples[int(round(first * RATE)):int(round(last * RATE))]
        peak = np.abs(samples).max()
        one = f'{package}-{stem}-{i}'
        samples = np.round(samples / peak * 32767 * 0.95).astype('<i2')
        family = f'{package}/{name}'
        labels = dict(
            id=one, family=family, music=family, source=package, beats=[round(at, 5) for at in beats],
            downbeats=[round(at, 5) for at in downbeats], beatsPerBar=metre, accepted=[metre],
            tempo=round(60 / float(np.median(np.diff(beats))), 3), style='module')
        samples.tofile(os.path.join(out, one + '.raw'))
        with open(os.path.join(out, one + '.json.part'), 'w') as file:
            json.dump(labels, file)
        os.rename(os.path.join(out, one + '.json.part'), os.path.join(out, one + '.json'))
        written += 1
    return written


def tell(package, name, module):
    loud = louder(module.samples, module.times[:-1])
    parts, alike, by = evidence(module.rows, module.times, module.notes, loud)
    plan = judged(package, name, module)
    row = usual_pace(parts, module.times)
    period = 48 if Counter(map(len, parts))[48] * 48 > len(module.rows) / 2 else 32
    print(f'{package}/{name} {module.times[-1]:.0f} s', f'{60 / row / plan[0]:.0f} BPM {plan}' if plan else 'unclear',
          'lengths', *(f'{length}:{times}' for length, times in Counter(map(len, parts)).most_common(4)),
          'alike', *(f'{lag}:{value:.2f}' for lag, value in alike.items()))
    for title, values in zip(('notes', 'low', 'middle', 'high'), (module.notes, *loud.T)):
        means = by(values, period)
        digits = ''.join(str(int(9.99 * mean / (means.max() + 1e-9))) for mean in means)
        print('   ', title, *(digits[i:i + 4] for i in range(0, period, 4)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('--out')
    parser.add_argument('--tell', action='store_true')
    parser.add_argument('--packages', nargs='*', default=[])
    parser.add_argument('--seed', default='1')
    options = parser.parse_args()
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    for package, path in modules_of(options.folder, set(options.packages)):
        name = os.path.basename(path)
        try:
            module = Module(path, random.Random(f'{options.seed} {package} {name}'))
        except ValueError:
            print(package, name, 'cannot be played')
            continue
        if options.tell:
            tell(package, name, module)
        if options.out:
            plan = judged(package, name, module)
            print(package, name, plan, plan and write(options.out, package, name, module, plan), flush=True)


if __name__ == '__main__':
    main()
