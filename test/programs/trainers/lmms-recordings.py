"""Makes recordings with exact beats from LMMS projects, to try a model of rhythm on: whole productions.

    python3 test/programs/trainers/lmms-recordings.py --out DIR [--from /usr/share/lmms/projects/demos]

LMMS (Debian's lmms and lmms-common, 1.2) renders each project without a window. Its beats are the quarter notes
of the tempo that the project has, its bars those of its time signature; 1/1, which two composers left so, is
read as 4/4. Projects of less than 5 kB are loops and left out, and so are those whose tempo is automated. Up to
three excerpts of 45 s a project: `ID.raw` (mono, 16 bits, little-endian, 22,050 Hz) and `ID.json` (`Labels` of
rhythm-material.ts).
"""
import argparse
import glob
import json
import os
import re
import subprocess
import tempfile
import zlib

import numpy as np

RATE = 22050
LENGTH, MOST = 45, 3  # seconds of an excerpt, and excerpts of a project
LOOP = 5000  # bytes
EARLY = 0.05  # seconds that an excerpt begins before a bar, so that its first beat is heard


def head_of(path):
    """(BPM, beats of a bar), none where the tempo is automated."""
    with open(path, 'rb') as file:
        content = file.read()
    text = (content if path.endswith('.mmp') else zlib.decompress(content[4:])).decode('utf8', 'replace')
    head = re.search(r'<head[^>]*>(.*?)</head>|<head[^>]*/>', text, re.S)[0]
    told = dict(re.findall(r'(\w+)="([^"]*)"', head))
    if 'bpm' not in told:
        inner = re.search(r'<bpm[^>]*id="(\d+)"', head)
        objects = inner and re.findall(r'<object id="(\d+)"', text)
        if not inner or inner[1] in objects:
            return None
        told['bpm'] = re.search(r'<bpm[^>]*value="([^"]*)"', head)[1]
    beats = 4 * int(told['timesig_numerator']) // int(told['timesig_denominator'])
    return float(told['bpm']), 4 if beats % 4 == 0 else beats


def rendered(path):
    with tempfile.TemporaryDirectory() as folder:
        wave = os.path.join(folder, 'song.wav')
        subprocess.run(
            ['lmms', '--allowroot', 'render', path, '-o', wave, '-f', 'wav', '-s', '44100'], timeout=600,
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, 'QT_QPA_PLATFORM': 'offscreen'})
        raw = subprocess.run(
            ['ffmpeg', '-v', 'error', '-i', wave, '-ac', '1', '-ar', str(RATE), '-f', 'f32le', '-'],
            check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(raw, np.float32)


def excerpts(samples, bpm, beats_per_bar):
    """(first sample, beats, downbeats) of stretches that sound throughout."""
    bar = 60 / bpm * beats_per_bar
    loud = np.abs(samples[:len(samples) // RATE * RATE].reshape(-1, RATE)).max(1) > 0.03 * np.abs(samples).max()
    sounding = np.flatnonzero(loud)
    begin, end = float(sounding[0]), float(sounding[-1] + 1)
    count = max(1, min(MOST, int((end - begin) // LENGTH)))
    for i in range(count):
        at = begin + (end - begin - LENGTH) * (i + 0.5) / count if end - begin > LENGTH else begin
        first = max(0.0, np.ceil(at / bar) * bar - EARLY)
        last = min(first + LENGTH, end)
        beats = [k * 60 / bpm - first for k in range(int(end / 60 * bpm)) if first <= k * 60 / bpm < last]
        downs = [k * bar - first for k in range(int(end / bar)) if first <= k * bar < last]
        if len(beats) >= 32 and loud[int(first):int(last)].mean() > 0.8:
            yield first, last, beats, downs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--from', dest='folder', default='/usr/share/lmms/projects/demos')
    parser.add_argument('--out', required=True)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(given.folder, '**', '*.mmp*'), recursive=True)):
        name = os.path.basename(path).rsplit('.', 1)[0]
        head = head_of(path)
        if os.path.getsize(path) < LOOP or head is None:
            print(name, 'left out', head)
            continue
        bpm, metre = head
        try:
            samples = rendered(path)
        except (subprocess.SubprocessError, OSError) as error:
            print(name, error)
            continue
        written = 0
        for i, (first, last, beats, downs) in enumerate(excerpts(samples, bpm, metre)):
            part = samples[int(round(first * RATE)):int(round(last * RATE))]
            labels = dict(
                id=f'lmms-{name.lower()}-{i}', family=f'lmms {name}', music=f'lmms {name}', source='LMMS', style='lmms',
                beats=[round(at, 5) for at in beats], downbeats=[round(at, 5) for at in downs],
                beatsPerBar=metre, accepted=[metre], tempo=bpm)
            stem = os.path.join(given.out, labels['id'])
            np.round(part / np.abs(part).max() * 31000).astype('<i2').tofile(stem + '.raw')
            with open(stem + '.json', 'w') as file:
                json.dump(labels, file)
            written += 1
        print(name, bpm, metre, round(len(samples) / RATE), written, flush=True)


if __name__ == '__main__':
    main()
