"""A backend of matplotlib for a box without a screen: `show` keeps every open figure as a picture in the working folder."""
import os

from matplotlib import pyplot
from matplotlib._pylab_helpers import Gcf
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from matplotlib.backend_bases import FigureManagerBase as FigureManager


def show(*_arguments, **_options):
    for manager in Gcf.get_all_fig_managers():
        number = 1
        while os.path.exists(f'figure-{number}.png'):
            number += 1
        manager.canvas.figure.savefig(f'figure-{number}.png', dpi=144, bbox_inches='tight')
    pyplot.close('all')
